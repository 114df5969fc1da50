//! A collector of OTLP over gRPC, which keeps what it receives.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

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
use tokio::net::TcpListener;
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
        let serving = Server::builder()
            .add_service(TraceServiceServer::new(collector.clone()))
            .add_service(MetricsServiceServer::new(collector.clone()))
            .add_service(LogsServiceServer::new(collector.clone()))
            .serve_with_incoming(TcpIncoming::from(listener));
        tokio::spawn(serving);
        (collector, address)
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

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        let spans = scopes.flat_map(|scope| scope.spans);
        self.spans.lock().expect("no panic").extend(spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        let resources = request.into_inner().resource_metrics.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_metrics);
        let names = scopes
            .flat_map(|scope| scope.metrics)
            .map(|metric| metric.name);
        self.metrics.lock().expect("no panic").extend(names);
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl LogsService for Collector {
    async fn export(
        &self,
        request: Request<ExportLogsServiceRequest>,
    ) -> Result<Response<ExportLogsServiceResponse>, Status> {
        let resources = request.into_inner().resource_logs.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_logs);
        let records = scopes
            .flat_map(|scope| scope.log_records)
            .map(|record| format!("{record:?}"));
        self.logs.lock().expect("no panic").extend(records);
        Ok(Response::new(ExportLogsServiceResponse::default()))
    }
}
