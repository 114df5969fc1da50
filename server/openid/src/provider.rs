//! One provider, and the logins at it.

use core::fmt;
use std::time::Duration;

use meterhouse_http_client::{ClientError, ProviderClient, causes};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreErrorResponseType, CoreIdToken,
    CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreRequestTokenError,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, IssuerUrl, Nonce, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, SignatureVerificationError, TokenResponse as _,
};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::address;
use crate::attempt::{Attempt, SealKey};
use crate::error::{InvalidSettings, OpenIdError};
use crate::published::{Published, send};
use crate::return_path::ReturnPath;

/// Maximum time of all requests to the provider for one step of a login, with the wait for a turn. It is shorter than the
/// time in which a request is answered.
pub const EXCHANGE_WAIT_MAX: Duration = Duration::from_secs(8);
/// Maximum number of codes that are exchanged at once.
const EXCHANGES_AT_ONCE_MAX: usize = 16;
/// Maximum length of the provider's own word for an error, in characters.
const WORD_MAX: usize = 64;
/// Signatures of ID tokens that are accepted: by a key that only the provider has.
const SIGNATURES: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// The library's client, once the provider's documents are there.
type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The settings of a provider. Without `Debug`: the client's secret is one.
#[derive(Clone)]
pub struct OpenIdSettings {
    /// Address of the issuer, as the provider itself writes it.
    pub issuer: String,
    /// Name of this house at the provider.
    pub client_id: String,
    /// Secret of this house at the provider.
    pub client_secret: String,
    /// Address of this server as browsers see it: scheme, host and port.
    pub public_url: String,
}

/// A provider of logins.
pub struct Provider {
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: ClientSecret,
    redirect: RedirectUrl,
    seal_key: SealKey,
    client: ProviderClient,
    published: Published,
    turns: Semaphore,
}

/// A login that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Address that the browser goes to.
    pub address: String,
    /// Text that the browser keeps until it comes back.
    pub cookie: String,
}

/// What the browser comes back with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Returned<'a> {
    /// Code that is exchanged for the ID token.
    pub code: Option<&'a str>,
    /// Text that the login was begun with.
    pub state: Option<&'a str>,
    /// Word of an error, instead of a code.
    pub error: Option<&'a str>,
    /// Issuer that answers (RFC 9207), if the provider says so.
    pub issuer: Option<&'a str>,
    /// Text that the browser kept.
    pub cookie: Option<&'a str>,
}

/// A login that the provider vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Name that the provider gives the person.
    pub subject: String,
    /// Digest by which the login is used up.
    pub login: [u8; 32],
    /// Path to go on to.
    pub next: ReturnPath,
}

impl fmt::Debug for Provider {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Provider({})", self.issuer())
    }
}

impl Provider {
    /// Returns a provider. Nothing is asked of it yet.
    ///
    /// # Errors
    /// An address that can't be used.
    pub fn new(settings: &OpenIdSettings) -> Result<Self, InvalidSettings> {
        let (issuer, client) = address::issuer(&settings.issuer)?;
        Ok(Self {
            published: Published::new(issuer.clone(), client.clone()),
            issuer,
            client_id: ClientId::new(settings.client_id.clone()),
            client_secret: ClientSecret::new(settings.client_secret.clone()),
            redirect: address::redirect(&settings.public_url)?,
            seal_key: SealKey::of(&settings.client_secret),
            client,
            turns: Semaphore::new(EXCHANGES_AT_ONCE_MAX),
        })
    }

    /// Returns the address of the issuer.
    pub fn issuer(&self) -> &str {
        self.issuer.as_str()
    }

    /// Begins a login at a second since 1970.
    ///
    /// # Errors
    /// [`OpenIdError::Unavailable`].
    pub async fn begin(&self, next: ReturnPath, now: i64) -> Result<Begun, OpenIdError> {
        let documents = timeout(EXCHANGE_WAIT_MAX, self.published.documents()).await;
        let documents = documents.map_err(|_| OpenIdError::late(EXCHANGE_WAIT_MAX))??;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let client = self.client(&documents);
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let request = client.authorize_url(flow, CsrfToken::new_random, Nonce::new_random);
        let (address, state, nonce) = request.set_pkce_challenge(challenge).url();
        let attempt = Attempt {
            state: state.secret().clone(),
            nonce: nonce.secret().clone(),
            verifier: verifier.secret().clone(),
            begun_at: now,
            next,
        };
        Ok(Begun {
            address: address.to_string(),
            cookie: attempt.sealed(&self.seal_key),
        })
    }

    /// Finishes a login at a second since 1970: exchanges the code, and verifies the ID token.
    ///
    /// # Errors
    /// [`OpenIdError`].
    pub async fn finish(&self, returned: Returned<'_>, now: i64) -> Result<Finished, OpenIdError> {
        let missing = "the cookie of the login is missing: begin and finish it in one browser";
        let cookie = returned.cookie.ok_or(OpenIdError::NotBegun(missing))?;
        let attempt = Attempt::open(cookie, &self.seal_key, now)?;
        if !returned.state.is_some_and(|state| attempt.is_of(state)) {
            let other = "this is not the login that was begun last in this browser";
            return Err(OpenIdError::NotBegun(other));
        }
        if returned
            .issuer
            .is_some_and(|issuer| issuer != self.issuer())
        {
            let other = "another provider answers than the one that was asked";
            return Err(OpenIdError::NotBegun(other));
        }
        if let Some(error) = returned.error {
            let is_plain = |character: &char| character.is_ascii_graphic();
            let word = error.chars().filter(is_plain).take(WORD_MAX).collect();
            return Err(OpenIdError::Refused(word));
        }
        let no_code = || OpenIdError::NotProven("the provider sent no code".to_owned());
        let code = returned.code.ok_or_else(no_code)?;
        let subject = timeout(EXCHANGE_WAIT_MAX, self.subject(code, &attempt)).await;
        let subject = subject.map_err(|_| OpenIdError::late(EXCHANGE_WAIT_MAX))??;
        Ok(Finished {
            subject,
            login: attempt.digest(),
            next: attempt.next,
        })
    }

    /// Exchanges a code, and returns the subject of the ID token.
    async fn subject(&self, code: &str, attempt: &Attempt) -> Result<String, OpenIdError> {
        let turn = self.turns.acquire().await;
        let documents = self.published.documents().await?;
        let client = self.client(&documents);
        let exchange = client.exchange_code(AuthorizationCode::new(code.to_owned()));
        let no_endpoint = |_| OpenIdError::Unavailable("it has no token endpoint".to_owned());
        let exchange = exchange.map_err(no_endpoint)?;
        let exchange = exchange.set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.clone()));
        let send = |request| send(self.client.clone(), request);
        let answer = exchange.request_async(&send).await;
        let answer = answer.map_err(|error| self.not_exchanged(&error))?;
        let no_token = || OpenIdError::NotProven("the provider sent no ID token".to_owned());
        let token = answer.id_token().ok_or_else(no_token)?;
        let nonce = Nonce::new(attempt.nonce.clone());
        let mut verified = subject_of(&client, token, &nonce);
        if is_of_unknown_key(&verified)
            && let Some(newer) = self.published.newer(&documents).await?
        {
            verified = subject_of(&self.client(&newer), token, &nonce);
        }
        drop(turn);
        verified.map_err(|error| {
            let error = causes(&error);
            tracing::warn!(error, issuer = self.issuer(), "an ID token is refused");
            OpenIdError::NotProven(format!("the ID token is refused: {error}"))
        })
    }

    fn client(&self, documents: &CoreProviderMetadata) -> Client {
        let secret = Some(self.client_secret.clone());
        let id = self.client_id.clone();
        let client = CoreClient::from_provider_metadata(documents.clone(), id, secret);
        let ways = documents.token_endpoint_auth_methods_supported();
        let has = |way| ways.is_some_and(|ways| ways.contains(&way));
        let only_in_body = has(CoreClientAuthMethod::ClientSecretPost)
            && !has(CoreClientAuthMethod::ClientSecretBasic);
        client
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(if only_in_body {
                AuthType::RequestBody
            } else {
                AuthType::BasicAuth
            })
    }

    /// Returns the error of a code that was not exchanged. Everything but a refused code is for the operator.
    fn not_exchanged(&self, error: &CoreRequestTokenError<ClientError>) -> OpenIdError {
        if let CoreRequestTokenError::ServerResponse(response) = error
            && *response.error() == CoreErrorResponseType::InvalidGrant
        {
            return OpenIdError::NotProven("the provider refused the code".to_owned());
        }
        let error = causes(error);
        tracing::error!(error, issuer = self.issuer(), "a code can't be exchanged");
        OpenIdError::Unavailable(error)
    }
}

/// Returns the subject of an ID token with the right signature, issuer, audience, nonce and time.
fn subject_of(
    client: &Client,
    token: &CoreIdToken,
    nonce: &Nonce,
) -> Result<String, ClaimsVerificationError> {
    let verifier = client.id_token_verifier().set_allowed_algs(SIGNATURES);
    let claims = token.claims(&verifier, nonce)?;
    Ok(claims.subject().to_string())
}

fn is_of_unknown_key(verified: &Result<String, ClaimsVerificationError>) -> bool {
    matches!(
        verified,
        Err(ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::NoMatchingKey
        ))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_shows_no_secret() {
        let provider = Provider::new(&OpenIdSettings {
            issuer: "https://id.example".to_owned(),
            client_id: "meterhouse".to_owned(),
            client_secret: "hidden".to_owned(),
            public_url: "https://m.example".to_owned(),
        });
        let shown = format!("{:?}", provider.expect("settings"));
        assert_eq!(shown, "Provider(https://id.example)");
    }
}
