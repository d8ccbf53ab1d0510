package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The result of removing a group's objects. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({
  @JsonSubTypes.Type(value = GroupRemoval.Removed.class, name = "removed"),
  @JsonSubTypes.Type(value = DrainFirst.class, name = "drainFirst")
})
public sealed interface GroupRemoval permits GroupRemoval.Removed, DrainFirst {

  /** The objects are deleted; some of them may still be on their way out. */
  record Removed() implements GroupRemoval {}
}
