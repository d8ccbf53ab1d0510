package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
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
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.ResourceActivities.MembersWrite;
import java.util.Map;
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
  private FakeWorkload workload;
  private App app;
  private GroupRef provision;

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
    provision = writers.open(app, ChangeType.PROVISION);
    assertThat(activities.applyGroup(provision)).isInstanceOf(Applied.class);
    awaitSeen(2);
    workload = FakeWorkload.made(cluster);
    workload.report("old", 2);
    workload.create(0, "old", true);
    workload.create(1, "old", true);
  }

  private GroupRef scale(String from, int to) {
    writers.end(provision);
    return edit(from, to);
  }

  private GroupRef edit(String from, int to) {
    app = cluster.editApp(yaml -> yaml.replace("replicas: " + from, "replicas: " + to));
    return writers.open(app, ChangeType.RESOURCES);
  }

  /** Stops the App, which has been edited to have this number. */
  private void stop(int replicas) {
    app =
        cluster.editApp(
            yaml ->
                yaml.replace("spec:\n", "spec:\n  state: Stopped\n")
                    .replace("replicas: 2", "replicas: " + replicas));
    var stop = writers.open(app, ChangeType.STOP);
    activities.applyDrainedGroup(stop);
    writers.end(stop);
    awaitSeen(0);
  }

  private GroupRef start(int replicas) {
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: " + replicas));
    return writers.open(app, ChangeType.START);
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
    var applied = activities.applyMembers(new MembersWrite(ref, 3, true));
    assertThat(replicas()).isEqualTo(3);
    assertThat(members()).isEqualTo("3 joining cache-db-g-2");
    assertThat(group().getSpec().replicas()).isEqualTo(3);
    assertThat(applied.order()).isEmpty();
    assertThat(applied.statefulSet().orElseThrow().kept())
        .containsExactly("cache-db-g-0", "cache-db-g-1", "cache-db-g-2");
    awaitSeen(3);
    workload.create(2, "new", true);
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
    var move = next(ref);
    // Then
    assertThat(move).isEqualTo(move(Direction.LEAVE, 1, 1, 1));
    assertThat(replicas()).isEqualTo(2);
    // When
    begin(ref, Direction.LEAVE, "cache-db-g-1");
    activities.applyMembers(new MembersWrite(ref, 1, true));
    // Then
    assertThat(replicas()).isEqualTo(1);
    assertThat(VolumeUse.of(cluster.now(claim)).orElseThrow().isOfMemberThatLeft()).isTrue();
  }

  /** It may be this edit that repairs it. */
  @Test
  void shouldReplaceABrokenMemberBeforeAnotherOneMoves() {
    // Given
    unready(1);
    var ref = scale("2", 3);
    // When
    var first = activities.applyGroup(ref);
    // Then
    assertThat(first).isEqualTo(new MembersReturn(2, true));
    // When
    var applied = activities.applyMembers(new MembersWrite(ref, 2, true));
    // Then
    assertThat(applied.order()).contains(PodOrder.UNANSWERED);
    assertThat(applied.statefulSet().orElseThrow().kept()).containsExactly("cache-db-g-0");
    // Given
    begin(ref, Direction.JOIN, "cache-db-g-2");
    workload.create(2, "old", false);
    // When
    applied = activities.applyMembers(new MembersWrite(ref, 3, true));
    // Then
    assertThat(applied.order()).contains(PodOrder.UNANSWERED);
    assertThat(applied.statefulSet().orElseThrow().kept()).containsExactly("cache-db-g-0");
  }

  /** Nobody is there who could be told that a member leaves. */
  @Test
  void shouldBeginANewGroupAnewWithFewerPods() {
    // Given
    unready(0);
    unready(1);
    var ref = edit("2", 1);
    // When Then
    assertThat(activities.applyGroup(ref)).isEqualTo(new MembersReturn(1, true));
    activities.applyMembers(new MembersWrite(ref, 1, true));
    assertThat(replicas()).isEqualTo(1);
    assertThat(members()).isEqualTo("1");
  }

  /** The middleware may have forgotten it, or may not: then it counts for the quorum. */
  @Test
  void shouldBringBackAMemberThatWasLeavingAtTheStopAndNotWaitForIt() {
    // Given
    var claim = claim("data-cache-db-g-1");
    begin(scale("2", 1), Direction.LEAVE, "cache-db-g-1");
    stop(1);
    var start = start(1);
    // When
    assertThat(activities.applyGroup(start)).isEqualTo(new MembersReturn(2));
    var applied = activities.applyMembers(new MembersWrite(start, 2, false));
    // Then
    assertThat(replicas()).isEqualTo(2);
    assertThat(applied.statefulSet().orElseThrow().leaving()).containsExactly("cache-db-g-1");
    assertThat(VolumeUse.of(cluster.now(claim)).filter(VolumeUse::isOfMemberThatLeft)).isEmpty();
    awaitSeen(2);
    assertThat(next(start)).isEqualTo(move(Direction.LEAVE, 1, 1, 1));
  }

  private void unready(int number) {
    workload.unready(number);
    cluster.awaitSeen(
        () ->
            cluster.view().pods(new AppKey(cluster.namespace(), "cache")).stream()
                .anyMatch(pod -> pod.name().endsWith("-" + number) && !pod.isReady()));
  }

  @Test
  void shouldRepeatTheStepWhenTheClaimCannotBeMarked() {
    // Given
    var ref = scale("2", 1);
    var claim = claim("data-cache-db-g-1");
    var most = "x".repeat(262_000);
    annotate(claim, Map.of("note", most));
    begin(ref, Direction.LEAVE, "cache-db-g-1");
    // When Then
    assertThatThrownBy(() -> activities.applyMembers(new MembersWrite(ref, 1, true)))
        .hasMessageContaining("annotate PersistentVolumeClaim data-cache-db-g-1");
    // When
    annotate(claim, Map.of());
    activities.applyMembers(new MembersWrite(ref, 1, true));
    // Then
    assertThat(VolumeUse.of(cluster.now(claim)).orElseThrow().isOfMemberThatLeft()).isTrue();
  }

  private void annotate(PersistentVolumeClaim claim, Map<String, String> annotations) {
    cluster
        .named(PersistentVolumeClaim.class, claim.getMetadata().getName())
        .edit(
            it -> {
              it.getMetadata().setAnnotations(annotations);
              return it;
            });
  }

  /** A number that is kept from then would be written when members move again. */
  @Test
  void shouldForgetTheMembersOfAPluginThatDoesNotAskForThemAnyMore() {
    // Given
    writers.end(provision);
    assertThat(members()).isEqualTo("2");
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin();
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 3"));
    var ref = writers.open(app, ChangeType.RESOURCES);
    // When
    assertThat(activities.applyGroup(ref)).isInstanceOf(Applied.class);
    // Then
    assertThat(replicas()).isEqualTo(3);
    assertThat(members()).isNull();
  }

  /** Of two writers that have read the same, the later one does not overwrite. */
  @Test
  void shouldNotOverwriteALaterNote() {
    // Given
    var ref = scale("2", 4);
    var read = group();
    begin(ref, Direction.JOIN, "cache-db-g-2");
    // When Then
    assertThatThrownBy(
            () -> GroupMembers.of(read).with(3).writeOn(read, engine.objects, writers.fence(ref)))
        .hasMessageContaining("after this step read it");
    assertThat(members()).isEqualTo("2 joining cache-db-g-2");
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
    activities.applyMembers(new MembersWrite(back, 2, true));
    complete(back);
    // Then
    assertThat(activities.applyGroup(back)).isInstanceOf(Applied.class);
    assertThat(members()).isEqualTo("2");
  }

  @Test
  void shouldNeitherLeaveAtAStopNorForgetWhoIsAMember() {
    // Given
    writers.end(provision);
    // When
    stop(2);
    // Then
    assertThat(replicas()).isZero();
    assertThat(members()).isEqualTo("2");
    // Given
    app =
        cluster.editApp(
            yaml ->
                yaml.replace("spec:\n", "spec:\n  state: Stopped\n")
                    .replace("replicas: 2", "replicas: 1"));
    var smaller = writers.open(app, ChangeType.RESOURCES);
    activities.applyGroup(smaller);
    writers.end(smaller);
    var start = start(1);
    // When Then
    assertThat(activities.applyGroup(start)).isEqualTo(new MembersReturn(2));
    activities.applyMembers(new MembersWrite(start, 2, false));
    awaitSeen(2);
    assertThat(next(start)).isEqualTo(move(Direction.LEAVE, 1, 1, 1));
  }

  /** Whatever is done to its pod before. */
  private GroupWrite next(GroupRef ref) {
    return activities.applyGroup(ref) instanceof MemberMove move
        ? new MemberMove(
            move.direction(), move.pod(), move.members(), move.target(), Optional.empty())
        : fail("nobody moves");
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
