// Looks at a page with axe, in the state that it is in.

import assert from "node:assert/strict";
import axe from "axe-core";

/** Impacts of a finding that a page may not have. */
const REFUSED = ["serious", "critical"];

/** Opens pages without motion: a colour in the middle of its change has any contrast. */
export const STILL = { reducedMotion: "reduce" };

/** Runs in the page: waits for the changes of colour that are under way. */
function endChanges() {
  const ends = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < 1_000);
  return Promise.all(ends.map(({ finished }) => finished.catch(() => {}))).then(() => {});
}

/** Fails if a page has a serious or critical finding. `state` names what is shown. */
export async function audit(page, state) {
  // The server's Content-Security-Policy keeps scripts out of the page itself, not out of the debugger.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await page.evaluate(endChanges);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations
    .filter(({ impact }) => REFUSED.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
  assert.deepEqual(found, [], state);
}
