import alerts from "./alerts.json" with { type: "json" };
import anonymous from "./anonymous.json" with { type: "json" };
import apps from "./apps.json" with { type: "json" };
import attested from "./attested.json" with { type: "json" };
import chat from "./chat.json" with { type: "json" };
import common from "./common.json" with { type: "json" };
import community from "./community.json" with { type: "json" };
import desk from "./desk.json" with { type: "json" };
import me from "./me.json" with { type: "json" };
import offline from "./offline.json" with { type: "json" };
import people from "./people.json" with { type: "json" };
import proof from "./proof.json" with { type: "json" };
import provers from "./provers.json" with { type: "json" };
import pushed from "./pushed.json" with { type: "json" };
import reading from "./reading.json" with { type: "json" };
import records from "./records.json" with { type: "json" };
import relay from "./relay.json" with { type: "json" };
import search from "./search.json" with { type: "json" };
import settings from "./settings.json" with { type: "json" };
import shortcuts from "./shortcuts.json" with { type: "json" };
import staff from "./staff.json" with { type: "json" };
import time from "./time.json" with { type: "json" };
import writing from "./writing.json" with { type: "json" };

/** Every sentence of the interface in English. */
export const en = {
  ...alerts,
  ...anonymous,
  ...apps,
  ...attested,
  ...chat,
  ...common,
  ...community,
  ...desk,
  ...me,
  ...offline,
  ...people,
  ...proof,
  ...provers,
  ...pushed,
  ...reading,
  ...records,
  ...relay,
  ...search,
  ...settings,
  ...shortcuts,
  ...staff,
  ...time,
  ...writing,
};
