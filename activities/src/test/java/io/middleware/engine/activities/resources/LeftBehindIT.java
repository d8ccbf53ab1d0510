package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Parts of an App that was deleted without them; an App of the same name takes them over. */
@ExtendWith(ApiServer.class)
class LeftBehindIT {
  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private App first;

  LeftBehindIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.writers = new LocalWriters(new LocalEngine(cluster));
  }

  @BeforeEach
  void provision() {
    cluster.createPlugin();
    first = cluster.createApp();
    writers.carryOut(first, ChangeType.PROVISION);
  }

  @Test
  void shouldBeTakenOverByTheFirstTask() {
    // Given
    var app = leftBehindBy(yaml -> yaml.replace("100mb", "200mb"));
    // When
    var groups = begin(app, ChangeType.CONFIG);
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(OwnerReferences.owns(app, component())).isTrue();
    assertThat(component().getSpec().values()).containsEntry("maxmemory", "200mb");
  }

  @Test
  void shouldBeTakenOverByARemoval() {
    // Given
    var app = leftBehindBy(yaml -> yaml.replace("name: g,", "name: g2,"));
    // When
    var groups = begin(app, ChangeType.REMOVE);
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(OwnerReferences.owns(app, component())).isTrue();
  }

  @Test
  void shouldGoWithARemovalOfTheWholeComponent() {
    // Given
    var app = leftBehindBy(yaml -> yaml.replace("name: db", "name: other"));
    // When
    assertThat(begin(app, ChangeType.REMOVE)).containsExactly("g");
    writers.transaction().end(writers.task(app, ChangeType.REMOVE));
    // Then
    assertThat(component()).isNull();
  }

  /** The garbage collector has taken it away from its App, and nothing is written by force. */
  @Test
  void shouldGoWithAForcedDeletion() {
    // Given
    var app = cluster.deleteByForce(first);
    withoutOwner(Component.class, "cache-db");
    // When
    begin(app, ChangeType.REMOVE);
    writers.transaction().end(writers.task(app, ChangeType.REMOVE));
    // Then
    assertThat(component()).isNull();
  }

  /** The generations of the new App begin anew, and with them the ids of its tasks. */
  @Test
  void shouldNotBringBackWhatATaskOfTheDeletedAppHasKept() {
    // Given
    begin(cluster.editApp(yaml -> yaml.replace("100mb", "200mb")), ChangeType.CONFIG);
    var app = leftBehindBy(yaml -> yaml.replace("100mb", "300mb"));
    // When
    begin(app, ChangeType.CONFIG);
    // Then
    var task = writers.task(app, ChangeType.CONFIG);
    assertThat(Undo.of(task, component()).orElseThrow().requireSpec().values())
        .containsEntry("maxmemory", "200mb");
    // and a repeat keeps what the first attempt has found
    begin(app, ChangeType.CONFIG);
    assertThat(Undo.of(task, component()).orElseThrow().requireSpec().values())
        .containsEntry("maxmemory", "200mb");
  }

  @Test
  void shouldBeWrittenAnewWhereOnlyTheGroupsAreLeft() {
    // Given
    cluster.named(Component.class, "cache-db").delete();
    withoutOwner(Group.class, "cache-db-g");
    // When
    var ref = writers.open(first, ChangeType.PROVISION);
    var groups = writers.transaction().begin(ref.task());
    // Then
    assertThat(groups).containsExactly("g");
    writers.write(first, ref);
    var group = cluster.named(Group.class, "cache-db-g").get();
    assertThat(OwnerReferences.owns(component(), group)).isTrue();
  }

  /** The tool owns all fields then, and lists have the defaults of the API server. */
  @Test
  void shouldBeTakenOverFromABackupTool() {
    // Given
    var set = cluster.named(StatefulSet.class, "cache-db-g").get();
    cluster.client().resource(set).delete();
    cluster.await().until(() -> cluster.named(StatefulSet.class, "cache-db-g").get() == null);
    var meta = set.getMetadata();
    meta.setUid(null);
    meta.setResourceVersion(null);
    meta.setManagedFields(null);
    meta.setOwnerReferences(null);
    cluster.client().resource(set).create();
    // When
    var ref = writers.open(first, ChangeType.REAPPLY);
    writers.write(first, ref);
    // Then
    var taken = cluster.named(StatefulSet.class, "cache-db-g").get();
    assertThat(OwnerReferences.owns(cluster.named(Group.class, "cache-db-g").get(), taken))
        .isTrue();
  }

  private List<String> begin(App app, ChangeType type) {
    TaskRef task = writers.task(app, type);
    return writers.transaction().begin(task);
  }

  /** The next App of the name, after this one was deleted without its parts. */
  private App leftBehindBy(UnaryOperator<String> edit) {
    cluster.client().resource(first).delete();
    withoutOwner(Component.class, "cache-db");
    return cluster.createApp(edit);
  }

  private void withoutOwner(Class<? extends HasMetadata> kind, String name) {
    cluster
        .named(kind, name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"ownerReferences\":null}}");
  }

  private Component component() {
    return cluster.named(Component.class, "cache-db").get();
  }
}
