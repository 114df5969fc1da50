// The locale that goes along from the front page.

import { expect, test } from "vitest";
import { withLocale } from "../src/front/locale.js";

test("the locale of the front page goes along, in front of the fragment", () => {
  expect(withLocale("/floor", "")).toBe("/floor");
  expect(withLocale("/floor", "?theme=neon")).toBe("/floor");
  expect(withLocale("/floor", "?locale=es-MX")).toBe("/floor?locale=es-MX");
  expect(withLocale("/sign/main?theme=neon", "?locale=es")).toBe("/sign/main?theme=neon&locale=es");
  expect(withLocale("/table/C4P-07#token=a&badge=b", "?locale=es")).toBe("/table/C4P-07?locale=es#token=a&badge=b");
});
