package io.middleware.engine.watcher.roles;

import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import java.util.Optional;

/** Lets agents say by themselves when the role of their pod changes. */
@FunctionalInterface
interface RoleStreams {
  /** Where no agent says anything by itself. */
  RoleStreams NONE = (pod, listener) -> Optional.empty();

  /** What an agent says; called by one thread at a time, which must not be held up. */
  interface Listener {

    /**
     * @param role empty: not known at the moment
     */
    void said(Optional<ReportedRole> role);

    /**
     * The stream has ended, other than by {@link Stream#close}.
     *
     * @param unsupported the agent has no streams, so that another one is in vain
     */
    void ended(boolean unsupported);
  }

  /** An open stream. */
  interface Stream {

    /** Ends it; nothing is said any more, but for what is being said just now. */
    void close();
  }

  /** Returns at once, and calls the listener only later; empty when there can be none now. */
  Optional<Stream> open(AskedPod pod, Listener listener);
}
