package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;

/** The result of writing a group's objects. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({
  @JsonSubTypes.Type(value = GroupWrite.Applied.class, name = "applied"),
  @JsonSubTypes.Type(value = DrainFirst.class, name = "drainFirst")
})
public sealed interface GroupWrite permits GroupWrite.Applied, DrainFirst {

  /**
   * The objects are written.
   *
   * @param statefulSet empty when the group has none
   */
  record Applied(Optional<AppliedStatefulSet> statefulSet) implements GroupWrite {}
}
