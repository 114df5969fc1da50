// The entry of the floor console.

import { useEffect } from "preact/hooks";
import { mount } from "../staff/mount.js";
import { Alarm } from "./alarm.js";
import "./floor.css";
import { useKeys } from "./keys.js";
import { start } from "./live.js";
import { findNotices, followNotices } from "./notices.js";
import { Places } from "./places.js";
import { followAddress } from "./route.js";
import { Rail, TopBar } from "./shell.js";
import { findPin } from "./signing.js";
import { followTablet } from "./tablet.js";
import { useWords } from "./words.js";

function Floor() {
  const { t } = useWords();
  useKeys();
  useEffect(() => {
    document.title = `${t.title} · Meterhouse`;
    // Until it is known, a signature asks for the PIN.
    void findPin().catch(() => {});
    void findNotices().catch(() => {});
    const ends = [followAddress(), followTablet(), followNotices(), start()];
    return () => ends.forEach((end) => end());
  }, []);
  return (
    <div class="floor">
      <TopBar />
      <Rail />
      <Places />
      <Alarm />
    </div>
  );
}

mount(Floor);
