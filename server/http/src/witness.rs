//! `POST` and `GET /v1/witness/heads`: signed heads of other houses, of which this one is the witness.

use core::str::FromStr;

use axum::Json;
use axum::extract::State;
use meterhouse_api::text::{InvalidValue, Text};
use meterhouse_api::witness::{DepositHeadRequest, KeyVouch, WitnessedHead, WitnessedHeadPage};
use meterhouse_domain::ids::LinkId;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::signing::deposit::{Deposit, StoredHead, Vouch, WitnessCursor};
use meterhouse_journal::tree_head::{HOUSE, PublicKey, SignedHead, TreeHead};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::{ReadProblems, WriteProblems};
use crate::extract::parameters::{JOURNAL_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Deposits a signed head of another house with this witness.
///
/// The first key that is seen of a house is pinned. A head of a later key needs the word of a known key for it. The heads
/// of a chain come in the order of their numbers, from 1. A head that contradicts an earlier one is kept as well.
#[utoipa::path(
    post,
    path = "/v1/witness/heads",
    operation_id = "deposit_head",
    tag = "witness",
    security(("token" = [])),
    request_body = DepositHeadRequest,
    responses(
        (status = 201, description = "Kept", body = WitnessedHead),
        (status = 200, description = "Kept before", body = WitnessedHead,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn deposit(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody<DepositHeadRequest>,
) -> Result<Written<WitnessedHead>, Failure> {
    authorize::deposit_heads(&caller)?;
    let signed = signed_head(&body)?;
    let vouches = body.vouches.iter().flat_map(|vouches| vouches.iter());
    let vouches = vouches.enumerate().map(vouch);
    let vouches = vouches.collect::<Result<Vec<_>, _>>()?;
    let shown = shown(&signed, false)?;
    let deposited = shared
        .engine
        .deposit_head(&caller.person, &signed, &vouches)
        .await?;
    let code = match deposited {
        Deposit::Stored | Deposit::StoredBefore => {
            return Ok(Written {
                body: shown,
                replayed: deposited == Deposit::StoredBefore,
            });
        }
        Deposit::Gap { expected } => {
            let gap = EdgeError::new(EdgeCode::HeadGap).with("expected", expected);
            return Err(gap.into());
        }
        Deposit::Forks | Deposit::ForksBefore => EdgeCode::HeadForks,
        Deposit::NotSigned => EdgeCode::HeadNotSigned,
        Deposit::UnknownKey => EdgeCode::UnknownSigningKey,
        Deposit::Own => EdgeCode::OwnHead,
    };
    let number = signed.head.number;
    Err(EdgeError::new(code).with("number", number).into())
}

/// The parameters of a list of heads.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WitnessedHeadsQuery {
    /// Only heads of the house whose database has this identity: 32 hexadecimal digits.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    database: Option<Identity>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    after: Option<Place>,
    /// Heads of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<Whole<JOURNAL_PAGE_MAX>>,
}

/// Lists the heads of other houses that were deposited here.
///
/// `meterhouse verify FILE --witness` reads a file with these pages.
#[utoipa::path(
    get,
    path = "/v1/witness/heads",
    operation_id = "list_witnessed_heads",
    tag = "witness",
    security(("token" = [])),
    params(WitnessedHeadsQuery),
    responses((status = 200, description = "The heads", body = WitnessedHeadPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<WitnessedHeadsQuery>,
) -> Result<Json<WitnessedHeadPage>, Failure> {
    authorize::read_everything(&caller)?;
    let of = query.database.map(|identity| identity.0);
    let after = query.after.map(|place| place.0);
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let page = shared.engine.deposited_heads(of, after, limit).await?;
    let head = |stored: &StoredHead| shown(&stored.signed, stored.is_fork);
    let heads = page.items.iter().map(head).collect::<Result<_, _>>()?;
    Ok(Json(WitnessedHeadPage {
        heads,
        more: page.next.is_some(),
        next: page.next.as_ref().map(written),
    }))
}

/// The identity of a database, in a parameter.
struct Identity([u8; 16]);

impl FromStr for Identity {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        array(text).map(Self).ok_or_else(|| {
            let detail = "the identity of a database is 32 hexadecimal digits";
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

/// The place of a head, from the `next` of the page before.
struct Place(WitnessCursor);

impl FromStr for Place {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let place = read(text).map(Self);
        place.ok_or_else(|| {
            let detail = "write what the page before has in next, unchanged";
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

fn read(text: &str) -> Option<WitnessCursor> {
    let mut parts = text.split('.');
    let place = WitnessCursor {
        identity: array(parts.next()?)?,
        link: LinkId(parts.next()?.parse().ok()?),
        number: parts.next()?.parse().ok()?,
        hash: array(parts.next()?)?,
    };
    parts.next().is_none().then_some(place)
}

fn written(place: &WitnessCursor) -> String {
    let (identity, hash) = (hex::encode(place.identity), hex::encode(place.hash));
    format!("{identity}.{}.{}.{hash}", place.link.0, place.number)
}

fn signed_head(body: &DepositHeadRequest) -> Result<SignedHead, EdgeError> {
    let head = hex::decode(&body.bytes).ok();
    let head = head.and_then(|bytes| TreeHead::from_bytes(&bytes).ok());
    // A link has a number from 1 on, and only the house's chain has no name.
    let is_named = |head: &TreeHead| (head.link == HOUSE) == head.name.is_empty();
    let head = head.filter(|head| head.link.0 >= 0 && is_named(head));
    Ok(SignedHead {
        head: head.ok_or_else(|| invalid("bytes", "the bytes of a signed head in hexadecimal"))?,
        key: key("public_key", &body.public_key)?,
        signature: signature("signature", &body.signature)?,
    })
}

fn vouch((index, vouch): (usize, &KeyVouch)) -> Result<Vouch, EdgeError> {
    let field = |name: &str| format!("vouches[{index}].{name}");
    Ok(Vouch {
        key: key(&field("public_key"), &vouch.public_key)?,
        introduced_at: *vouch.introduced_at,
        by: key(&field("by"), &vouch.by)?,
        signature: signature(&field("signature"), &vouch.signature)?,
    })
}

fn key(field: &str, text: &str) -> Result<PublicKey, EdgeError> {
    let key = array(text).map(PublicKey);
    key.ok_or_else(|| invalid(field, "an Ed25519 public key is 64 hexadecimal digits"))
}

fn signature(field: &str, text: &str) -> Result<[u8; 64], EdgeError> {
    array(text).ok_or_else(|| invalid(field, "an Ed25519 signature is 128 hexadecimal digits"))
}

fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex::decode(text).ok()?.try_into().ok()
}

fn invalid(field: &str, detail: &str) -> EdgeError {
    EdgeError::because(EdgeCode::InvalidValue, detail).with("field", field)
}

fn shown(signed: &SignedHead, is_fork: bool) -> Result<WitnessedHead, EdgeError> {
    let head = &signed.head;
    let link = (head.link != HOUSE).then(|| head.name.parse()).transpose();
    Ok(WitnessedHead {
        database: hex::encode(head.identity),
        link: link.map_err(|_| invalid("bytes", "the head names no link"))?,
        number: head.number,
        batch: head.batch,
        signed_at: Text(head.at),
        fork: is_fork,
        bytes: hex::encode(head.bytes()),
        public_key: signed.key.to_string(),
        signature: hex::encode(signed.signature),
    })
}
