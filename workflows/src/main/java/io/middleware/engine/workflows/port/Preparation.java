package io.middleware.engine.workflows.port;

/** What is done before pods are taken away, in this order. */
public enum Preparation {
  /** Wait while a volume claim of theirs is being deleted: it would go with its pod. */
  KEEP_VOLUMES,
  /** Have their agents move what only they hold or do: they go for good. */
  DRAIN,
  /**
   * Have their agents make durable what they have acknowledged: no other pod of the group stays.
   */
  PERSIST
}
