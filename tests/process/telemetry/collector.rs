//! A collector of OTLP, which keeps what it receives.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::logs::v1::logs_service_server::{
    LogsService, LogsServiceServer,
};
use opentelemetry_proto::tonic::collector::logs::v1::{
    ExportLogsServiceRequest, ExportLogsServiceResponse,
};
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// What a collector has received.
#[derive(Clone, Default)]
pub(crate) struct Collector {
    spans: Arc<Mutex<Vec<Span>>>,
    metrics: Arc<Mutex<Vec<String>>>,
    logs: Arc<Mutex<Vec<String>>>,
}

impl Collector {
    /// Starts a collector on a free port.
    pub(crate) async fn start() -> (Self, SocketAddr) {
        let collector = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(collector.clone().serve(listener));
        (collector, address)
    }

    async fn serve(self, listener: TcpListener) {
        let serving = Server::builder()
            .add_service(TraceServiceServer::new(self.clone()))
            .add_service(MetricsServiceServer::new(self.clone()))
            .add_service(LogsServiceServer::new(self))
            .serve_with_incoming(TcpIncoming::from(listener));
        serving.await.expect("it serves");
    }

    /// Starts a collector over `http/protobuf` on a free port.
    pub(crate) async fn start_http() -> (Self, SocketAddr) {
        let collector = Self::default();
        let router = Router::new()
            .route("/v1/traces", post(http_traces))
            .route("/v1/metrics", post(http_metrics))
            .route("/v1/logs", post(http_logs))
            .with_state(collector.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        (collector, address)
    }

    /// Returns true if any span was received.
    pub(crate) fn has_spans(&self) -> bool {
        !self.spans.lock().expect("no panic").is_empty()
    }

    /// Returns the spans of a trace.
    pub(crate) fn spans(&self, trace: &[u8]) -> Vec<Span> {
        let spans = self.spans.lock().expect("no panic");
        let of_trace = spans.iter().filter(|span| span.trace_id == trace);
        of_trace.cloned().collect()
    }

    /// Returns true if a metric of this name was received.
    pub(crate) fn has_metric(&self, name: &str) -> bool {
        let metrics = self.metrics.lock().expect("no panic");
        metrics.iter().any(|metric| metric == name)
    }

    /// Returns true if a log record with this text was received.
    pub(crate) fn has_log(&self, text: &str) -> bool {
        let logs = self.logs.lock().expect("no panic");
        logs.iter().any(|log| log.contains(text))
    }
}

impl Collector {
    fn keep_traces(&self, request: ExportTraceServiceRequest) {
        let resources = request.resource_spans.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        let spans = scopes.flat_map(|scope| scope.spans);
        self.spans.lock().expect("no panic").extend(spans);
    }

    fn keep_metrics(&self, request: ExportMetricsServiceRequest) {
        let resources = request.resource_metrics.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_metrics);
        let metrics = scopes.flat_map(|scope| scope.metrics);
        let names = metrics.map(|metric| metric.name);
        self.metrics.lock().expect("no panic").extend(names);
    }

    fn keep_logs(&self, request: ExportLogsServiceRequest) {
        let resources = request.resource_logs.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_logs);
        let records = scopes.flat_map(|scope| scope.log_records);
        let records = records.map(|record| format!("{record:?}"));
        self.logs.lock().expect("no panic").extend(records);
    }
}

async fn http_traces(State(collector): State<Collector>, body: Bytes) {
    collector.keep_traces(ExportTraceServiceRequest::decode(body).expect("traces"));
}

async fn http_metrics(State(collector): State<Collector>, body: Bytes) {
    collector.keep_metrics(ExportMetricsServiceRequest::decode(body).expect("metrics"));
}

async fn http_logs(State(collector): State<Collector>, body: Bytes) {
    collector.keep_logs(ExportLogsServiceRequest::decode(body).expect("logs"));
}

/// A collector that can vanish.
pub(crate) struct Mortal {
    /// What it has received.
    pub(crate) collector: Collector,
    runtime: Runtime,
}

impl Mortal {
    /// Starts a collector on this port.
    pub(crate) fn start(at: SocketAddr) -> Self {
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let collector = Collector::default();
        let (serving, bound) = (collector.clone(), std::net::TcpListener::bind(at));
        let bound = bound.expect("the port is free");
        bound.set_nonblocking(true).expect("a socket");
        runtime.spawn(async move {
            serving
                .serve(TcpListener::from_std(bound).expect("a socket"))
                .await;
        });
        Self { collector, runtime }
    }

    /// Vanishes with all connections.
    pub(crate) fn vanish(self) {
        self.runtime.shutdown_background();
    }
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.keep_traces(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        self.keep_metrics(request.into_inner());
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl LogsService for Collector {
    async fn export(
        &self,
        request: Request<ExportLogsServiceRequest>,
    ) -> Result<Response<ExportLogsServiceResponse>, Status> {
        self.keep_logs(request.into_inner());
        Ok(Response::new(ExportLogsServiceResponse::default()))
    }
}
