package io.middleware.engine.workflows.port;

/**
 * What applying a group's objects left behind.
 *
 * @param workload name of the StatefulSet, empty when the group has none
 * @param workloadGeneration its {@code metadata.generation} after the write, 0 when there is none
 */
public record AppliedGroup(String workload, long workloadGeneration) {}
