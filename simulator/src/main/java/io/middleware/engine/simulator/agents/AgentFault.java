package io.middleware.engine.simulator.agents;

import java.util.Arrays;
import java.util.Locale;

/** How a simulated pod's agent misbehaves, by the pod's annotation {@value #ANNOTATION}. */
enum AgentFault {
  NONE,
  /** The port is closed. */
  DEAD,
  /** Answers after 10 s. */
  SLOW,
  /** A pod order names a pod that was not asked for. */
  UNKNOWN_POD,
  /** A pod order lacks its first pod. */
  MISSING_POD,
  /** A pod order names its first pod twice. */
  DUPLICATE_POD,
  /** Answers are 5 MiB. */
  HUGE,
  /** Every call is refused as UNAVAILABLE. */
  UNAVAILABLE,
  /** The connection breaks off in the middle of every call. */
  HANGS_UP,
  /** The port speaks TLS, with a certificate that nobody knows. */
  WRONG_CERTIFICATE,
  /** The primary does not switch over. */
  SWITCHOVER_REFUSED,
  /** The primary switches over after 10 s. */
  SWITCHOVER_SLOW,
  /** The connection breaks off while the primary switches over, which then does not. */
  SWITCHOVER_HANGS_UP,
  /** The first of the parameters is not accepted. */
  RELOAD_REFUSED;

  static final String ANNOTATION = "agent.local.middleware.io/fault";

  /** A word nobody knows is no fault: a test that misspells one sees a healthy agent. */
  static AgentFault of(String word) {
    return Arrays.stream(values()).filter(f -> f.word().equals(word)).findFirst().orElse(NONE);
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
