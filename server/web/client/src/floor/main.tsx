// The entry of the page.

import { mount } from "../staff/mount.js";
import { useStaff } from "../staff/staff.js";

function Floor() {
  const { holder } = useStaff();
  return <main>{holder.name}</main>;
}

mount(Floor);
