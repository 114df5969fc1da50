// The entry of the page.

import { mount } from "../staff/mount.js";
import { useStaff } from "../staff/staff.js";

function Front() {
  const { holder } = useStaff();
  return <main>{holder.name}</main>;
}

mount(Front);
