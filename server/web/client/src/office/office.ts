// What every view of the office may ask for: its texts, its locale, the person and the person's rights.

import { type OfficeTexts, officeTexts } from "../text/office.js";
import { type Holder, useStaff } from "../staff/staff.js";
import { type Right, may, rolesWith } from "./rights.js";

export interface Office {
  t: OfficeTexts;
  locale: string;
  holder: Holder;
  may(right: Right): boolean;
  /** Says who may do what this person may not. */
  whoMay(right: Right): string;
}

/** Returns what the views of the office share. */
export function useOffice(): Office {
  const { locale, holder } = useStaff();
  const t = officeTexts();
  return {
    t,
    locale,
    holder,
    may: (right) => may(holder, right),
    whoMay: (right) => t.whoMay(rolesWith(right).map((role) => t.roles[role] ?? role)),
  };
}
