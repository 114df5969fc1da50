// What a browser does at a login by OpenID Connect: it keeps cookies, follows redirects, and sends the provider's forms.
// Usage: node browser.mjs HOUSE PROVIDER SUBJECT NAME, and it logs the subject in at the house's provider.
// With a NAME the session has to be this person's; without one the house has to refuse the subject.
import { strict as assert } from "node:assert";

const [house, provider, subject, name] = process.argv.slice(2);
const STEPS_MAX = 20;
const WAIT = 10_000;
const jars = { [house]: new Map(), [provider]: new Map() };

// Keeps or forgets a cookie, each by its name and path.
function keep(jar, set) {
  const [pair, ...attributes] = set.split("; ");
  const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
  const path = attributes.find((one) => /^path=/i.test(one))?.slice("path=".length) ?? "/";
  if (attributes.some((one) => /^max-age=0$|^expires=.* 1970 /i.test(one))) jar.delete(`${name} ${path}`);
  else jar.set(`${name} ${path}`, { name, value, path });
}

// Sends one request with the cookies of its origin and path, and keeps those that come back.
async function ask(url, form) {
  const { origin, pathname } = new URL(url);
  const jar = jars[origin];
  assert(jar, `sent to ${url}`);
  const sent = [...jar.values()].filter((cookie) => pathname.startsWith(cookie.path));
  const answer = await fetch(url, {
    method: form ? "POST" : "GET",
    headers: { cookie: sent.map(({ name, value }) => `${name}=${value}`).join("; ") },
    body: form && new URLSearchParams(form),
    redirect: "manual",
    signal: AbortSignal.timeout(WAIT),
  });
  for (const set of answer.headers.getSetCookie()) keep(jar, set);
  return answer;
}

// Logs in at the provider, from the house and back to it; returns the address and the answer there.
async function login() {
  let url = `${house}/v1/login/openid?next=/manual`;
  let form;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const answer = await ask(url, form);
    form = undefined;
    const location = answer.headers.get("location");
    if (location) {
      assert.equal(answer.status, 303, url);
      url = new URL(location, url).href;
    } else if (new URL(url).origin === house) {
      return [url, answer];
    } else {
      const page = await answer.text();
      assert.equal(answer.status, 200, `${url}: ${page}`);
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      assert(prompt, page);
      url = new URL(/<form[^>]* action="([^"]+)"/.exec(page)[1], url).href;
      form = prompt === "login" ? { prompt, login: subject, password: "any" } : { prompt };
    }
  }
  throw new Error(`no end after ${STEPS_MAX} steps: ${url}`);
}

const [callback, answer] = await login();
assert.equal(new URL(callback).pathname, "/v1/login/openid/callback");
const body = await answer.text();
assert(!jars[house].has("__Host-meterhouse-openid /"), "the login's cookie is over");
if (name) {
  assert.equal(answer.status, 200, body);
  assert.match(body, /content="0;url=\/manual"/);
  assert.equal((await ask(`${house}/manual`)).status, 200);
  const session = await (await ask(`${house}/v1/session`)).json();
  assert.deepEqual([session.name, session.credential], [name, "session"]);
  const again = await ask(callback);
  assert.equal((await again.json()).code, "openid_not_begun");
  console.log(`${subject} of the provider is ${session.name}, a ${session.role}`);
} else {
  assert.equal(answer.status, 403, body);
  assert.equal(JSON.parse(body).code, "openid_not_admitted");
  assert(!jars[house].has("__Host-meterhouse-session /"), "no session began");
  console.log(`${subject} of the provider is nobody here`);
}
