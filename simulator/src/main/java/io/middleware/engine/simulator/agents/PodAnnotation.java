package io.middleware.engine.simulator.agents;

/** An annotation that records an action on a pod, for people and tests. */
record PodAnnotation(String namespace, String pod, String key, String value) {
  /** On a new primary: the name of the pod that switched over to it. */
  static final String TOOK_OVER_FROM = "agent.local.middleware.io/took-over-from";

  /** On a drained pod. */
  static final String DRAINED = "agent.local.middleware.io/drained";

  /** On a pod: how many actions of the Plugin it has run, and the last one with its parameters. */
  static final String ACTIONS_RUN = "agent.local.middleware.io/actions-run";
}
