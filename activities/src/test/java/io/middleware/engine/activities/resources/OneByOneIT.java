package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.app.VolumeUse;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.middleware.engine.workflows.port.ResourceActivities.MembersWrite;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The objects of a group of two whose pods join and leave one at a time. */
@ExtendWith(ApiServer.class)
class OneByOneIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;
  private App app;

  OneByOneIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
  }

  @BeforeEach
  void provision() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "- name: redis\n    par", "- name: redis\n    scaling: OneByOne\n    par"));
    app = cluster.createApp();
    var ref = writers.open(app, ChangeType.PROVISION);
    assertThat(activities.applyGroup(ref)).isInstanceOf(Applied.class);
    writers.transaction().end(ref.task());
    awaitSeen(2);
  }

  private GroupRef scale(String from, int to) {
    app = cluster.editApp(yaml -> yaml.replace("replicas: " + from, "replicas: " + to));
    return writers.open(app, ChangeType.RESOURCES);
  }

  @Test
  void shouldWriteOneMemberAtATime() {
    // Given
    var ref = scale("2", 4);
    // When Then
    assertThat(activities.applyGroup(ref)).isEqualTo(joins(2, 3, 4));
    assertThat(replicas()).isEqualTo(2);
    begin(ref, Direction.JOIN, "cache-db-g-2");
    assertThat(members()).isEqualTo("2 joining cache-db-g-2");
    var applied = activities.applyMembers(new MembersWrite(ref, 3));
    assertThat(replicas()).isEqualTo(3);
    assertThat(members()).isEqualTo("3 joining cache-db-g-2");
    assertThat(group().getSpec().replicas()).isEqualTo(3);
    assertThat(applied.order()).isEmpty();
    assertThat(applied.statefulSet().orElseThrow().kept())
        .containsExactly("cache-db-g-0", "cache-db-g-1", "cache-db-g-2");
    awaitSeen(3);
    assertThat(activities.applyGroup(ref)).isEqualTo(joins(2, 3, 4));
    complete(ref);
    assertThat(activities.applyGroup(ref)).isEqualTo(joins(3, 4, 4));
    assertThat(replicas()).isEqualTo(3);
  }

  @Test
  void shouldMarkTheClaimOfAMemberThatHasLeft() {
    // Given
    var ref = scale("2", 1);
    var claim = claim("data-cache-db-g-1");
    // When
    var move = activities.applyGroup(ref);
    // Then
    assertThat(move).isEqualTo(move(Direction.LEAVE, 1, 1, 1));
    assertThat(replicas()).isEqualTo(2);
    // When
    begin(ref, Direction.LEAVE, "cache-db-g-1");
    activities.applyMembers(new MembersWrite(ref, 1));
    // Then
    assertThat(replicas()).isEqualTo(1);
    assertThat(VolumeUse.of(cluster.now(claim)).orElseThrow().isOfMemberThatLeft()).isTrue();
  }

  /** A member that the middleware may have forgotten leaves, although it is wanted again. */
  @Test
  void shouldTakeBackWhatHasBegun() {
    // Given
    var ref = scale("2", 3);
    begin(ref, Direction.JOIN, "cache-db-g-2");
    var back = new GroupRef(ref.task().back(), "g");
    // When
    var groups = writers.transaction().begin(back.task());
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(activities.applyGroup(back)).isEqualTo(move(Direction.LEAVE, 2, 2, 2));
    // When
    activities.applyMembers(new MembersWrite(back, 2));
    complete(back);
    // Then
    assertThat(activities.applyGroup(back)).isInstanceOf(Applied.class);
    assertThat(members()).isEqualTo("2");
  }

  @Test
  void shouldNeitherLeaveAtAStopNorForgetWhoIsAMember() {
    // Given
    app = cluster.editApp(yaml -> yaml.replace("spec:\n", "spec:\n  state: Stopped\n"));
    var stop = writers.open(app, ChangeType.STOP);
    // When Then
    assertThat(activities.applyGroup(stop)).isInstanceOf(Applied.class);
    writers.transaction().end(stop.task());
    assertThat(replicas()).isZero();
    assertThat(members()).isEqualTo("2");
    awaitSeen(0);
    // Given
    app =
        cluster.editApp(
            yaml ->
                yaml.replace("spec:\n", "spec:\n  state: Stopped\n")
                    .replace("replicas: 2", "replicas: 1"));
    var smaller = writers.open(app, ChangeType.RESOURCES);
    activities.applyGroup(smaller);
    writers.transaction().end(smaller.task());
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 1"));
    var start = writers.open(app, ChangeType.START);
    // When Then
    assertThat(activities.applyGroup(start)).isEqualTo(new MembersReturn(2));
    activities.applyMembers(new MembersWrite(start, 2));
    awaitSeen(2);
    assertThat(activities.applyGroup(start)).isEqualTo(move(Direction.LEAVE, 1, 1, 1));
  }

  private static GroupWrite joins(int number, int members, int target) {
    return move(Direction.JOIN, number, members, target);
  }

  private static GroupWrite move(Direction direction, int number, int members, int target) {
    return new MemberMove(direction, "cache-db-g-" + number, members, target, Optional.empty());
  }

  private void begin(GroupRef ref, Direction direction, String pod) {
    edit(ref, members -> members.begun(direction, pod));
  }

  private void complete(GroupRef ref) {
    edit(ref, GroupMembers::settled);
  }

  private void edit(GroupRef ref, UnaryOperator<GroupMembers> next) {
    var group = engine.objects.readable(ref);
    next.apply(GroupMembers.of(group)).writeOn(group, engine.objects, writers.fence(ref));
  }

  private Group group() {
    return cluster.named(Group.class, "cache-db-g").get();
  }

  private String members() {
    return group().getMetadata().getAnnotations().get(Labels.MEMBERS);
  }

  private int replicas() {
    return cluster.named(StatefulSet.class, "cache-db-g").get().getSpec().getReplicas();
  }

  private void awaitSeen(int replicas) {
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            cluster
                .view()
                .statefulSet(key, "cache-db-g")
                .filter(set -> set.getSpec().getReplicas() == replicas)
                .isPresent());
  }

  private PersistentVolumeClaim claim(String name) {
    var claim =
        cluster.create(
            new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Labels.selector("cache", "db", "g"))
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec()
                .build());
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () -> cluster.view().volumes(key).stream().anyMatch(it -> it.name().equals(name)));
    return claim;
  }
}
