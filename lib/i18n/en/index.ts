import alerts from "./alerts.json";
import attested from "./attested.json";
import chat from "./chat.json";
import common from "./common.json";
import community from "./community.json";
import me from "./me.json";
import offline from "./offline.json";
import proof from "./proof.json";
import provers from "./provers.json";
import pushed from "./pushed.json";
import reading from "./reading.json";
import records from "./records.json";
import relay from "./relay.json";
import search from "./search.json";
import settings from "./settings.json";
import staff from "./staff.json";
import time from "./time.json";
import writing from "./writing.json";

/** Every sentence of the interface in English. */
export const en = {
  ...alerts,
  ...attested,
  ...chat,
  ...common,
  ...community,
  ...me,
  ...offline,
  ...proof,
  ...provers,
  ...pushed,
  ...reading,
  ...records,
  ...relay,
  ...search,
  ...settings,
  ...staff,
  ...time,
  ...writing,
};
