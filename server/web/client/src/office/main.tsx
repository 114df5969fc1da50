// The entry of the page.

import { mount } from "../staff/mount.js";
import { useStaff } from "../staff/staff.js";

function Office() {
  const { holder } = useStaff();
  return <main>{holder.name}</main>;
}

mount(Office);
