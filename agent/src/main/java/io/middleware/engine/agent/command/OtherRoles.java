package io.middleware.engine.agent.command;

import java.util.List;
import java.util.Map;

/** The roles of other pods of the group, as their agents say. */
@FunctionalInterface
public interface OtherRoles {
  /** Nobody is asked. */
  OtherRoles UNKNOWN = pods -> Map.of();

  /** The role of each pod whose agent answers with one, by pod. Takes at most 3 s. */
  Map<String, String> of(List<String> pods);
}
