package io.middleware.engine.simulator.agents;

import java.util.Arrays;
import java.util.Locale;

/** The fault of a simulated agent, from the annotation {@value #ANNOTATION} of its pod. */
enum AgentFault {
  NONE,
  /** The port is closed. */
  DEAD,
  /** Answers after 10 s. */
  SLOW,
  /** A pod order contains a pod that was not in the request. */
  UNKNOWN_POD,
  /** A pod order lacks its first pod. */
  MISSING_POD,
  /** A pod order contains its first pod twice. */
  DUPLICATE_POD,
  /** Answers have 5 MiB. */
  HUGE,
  /** Every call is refused as UNAVAILABLE. */
  UNAVAILABLE,
  /** The connection breaks in the middle of every call. */
  HANGS_UP,
  /** The port uses TLS with a certificate that no client trusts. */
  WRONG_CERTIFICATE,
  /** The primary refuses to switch over. */
  SWITCHOVER_REFUSED,
  /** The primary switches over after 10 s. */
  SWITCHOVER_SLOW,
  /** The connection breaks during the switchover, which then does not happen. */
  SWITCHOVER_HANGS_UP,
  /** The first parameter is refused. */
  RELOAD_REFUSED,
  /** The pod refuses actions of the Plugin. */
  ACTION_REFUSED,
  /** Actions of the Plugin end with exit code 3. */
  ACTION_FAILS,
  /** Actions of the Plugin take 10 s. */
  ACTION_SLOW,
  /** Actions of the Plugin never end, not even when they are terminated. */
  ACTION_HANGS;

  static final String ANNOTATION = "agent.local.middleware.io/fault";

  /** An unknown value is not a fault: the agent is healthy. */
  static AgentFault of(String value) {
    return Arrays.stream(values()).filter(f -> f.value().equals(value)).findFirst().orElse(NONE);
  }

  private String value() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
