package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;

/** The result of writing a group's objects. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({
  @JsonSubTypes.Type(value = GroupWrite.Applied.class, name = "applied"),
  @JsonSubTypes.Type(value = DrainFirst.class, name = "drainFirst"),
  @JsonSubTypes.Type(value = MemberMove.class, name = "memberMove"),
  @JsonSubTypes.Type(value = GroupWrite.MembersReturn.class, name = "membersReturn")
})
public sealed interface GroupWrite
    permits GroupWrite.Applied, DrainFirst, MemberMove, GroupWrite.MembersReturn {

  /**
   * The objects are written.
   *
   * @param statefulSet empty when the group has none
   * @param order of its pods, as {@link OrderingActivities#podOrder} gives it; empty when that
   *     failed, or the engine is an older one: it is asked for again
   */
  record Applied(Optional<AppliedStatefulSet> statefulSet, Optional<PodOrder> order)
      implements GroupWrite {
    public Applied {
      order = order == null ? Optional.empty() : order; // of an older engine
    }

    /** Without an order. */
    public Applied(Optional<AppliedStatefulSet> statefulSet) {
      this(statefulSet, Optional.empty());
    }

    /** The same with an order. */
    public Applied with(Optional<PodOrder> order) {
      return new Applied(statefulSet, order);
    }
  }

  /**
   * The group has members that are not at work: they come back before the first one joins or
   * leaves, because it has no pods, or some of these are broken. Nothing is written yet.
   *
   * @param members how many there are
   * @param running whether there are pods; missing in older histories: there are none
   */
  record MembersReturn(int members, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean running)
      implements GroupWrite {
    /** Of a group without pods. */
    public MembersReturn(int members) {
      this(members, false);
    }
  }
}
