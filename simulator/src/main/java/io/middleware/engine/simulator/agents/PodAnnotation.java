package io.middleware.engine.simulator.agents;

/** What is noted on a pod as annotation, for people and tests to see. */
record PodAnnotation(String namespace, String pod, String annotation, String value) {
  /** Names, on a pod that has taken over, the pod that switched over to it. */
  static final String TOOK_OVER_FROM = "agent.local.middleware.io/took-over-from";

  /** On a pod that was drained. */
  static final String DRAINED = "agent.local.middleware.io/drained";
}
