package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;

/** What it means for the change of an App which Apps use which. */
public interface AppUses {

  /** Whether an App that it uses has carried out another generation since its last plan. */
  boolean areOutdated(App app);

  /** Whether other Apps use it that are not being deleted themselves: it is not deleted then. */
  boolean hold(App app);
}
