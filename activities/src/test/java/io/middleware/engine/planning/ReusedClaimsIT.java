package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.PlannedObject;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.app.VolumeUse;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volume claims that exist when pods come that ask for them: data-cache-db-g-0, -1 and -2. */
@ExtendWith(ApiServer.class)
class ReusedClaimsIT {
  private static final String CLAIM = "data-cache-db-g-";

  private final LocalNamespace cluster;
  private final LocalEngine engine;

  ReusedClaimsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void create() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "    parameters:\n",
                "    parameters:\n    - {name: dbfilename, type: string, default: dump.rdb, effect: Immutable}\n"));
  }

  @Test
  void shouldSayWhatANewAppWillFind() {
    // Given
    claim(0, use("redis", "7.0", "dump.rdb").unused("2026-11-20T10:00:00Z").text());
    claim(1, null);
    claim(2, null);
    // When
    var tasks = planned(cluster.createApp());
    // Then
    assertThat(tasks)
        .contains("provision db: 1 group, 2 pods; uses volumes that exist: " + CLAIM + "0")
        .contains(
            "(unused since 2026-11-20T10:00:00Z, last used by redis 7.0 of Plugin redis 1.0.0)")
        .contains(CLAIM + "1 (made ")
        .contains("by what is not known)")
        .doesNotContain(CLAIM + "2");
  }

  @Test
  void shouldSayWhatAScaleOutWillFind() {
    // Given
    var app = cluster.createApp();
    deploy(app);
    claim(1, null);
    claim(2, use("redis", "7.0", "dump.rdb").text());
    // When
    var tasks = planned(cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 4")));
    // Then
    assertThat(tasks)
        .contains("replicas of db/g: 2 → 4; uses volumes that exist: " + CLAIM + "2 (made ")
        .doesNotContain(CLAIM + "1");
  }

  @Test
  void shouldSayThatVolumesOfMembersThatHaveLeftAreDeleted() {
    // Given
    cluster
        .named(Plugin.class, "redis-v1.0.0")
        .patch(
            PatchContext.of(PatchType.JSON),
            "[{\"op\": \"add\", \"path\": \"/spec/componentTypes/0/scaling\", \"value\": \"OneByOne\"}]");
    deploy(cluster.createApp());
    claim(2, use("redis", "6.0", "dump.rdb").ofMemberThatLeft().text());
    // When
    var tasks = planned(cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 4")));
    // Then
    assertThat(tasks)
        .contains(
            "replicas of db/g: 2 → 3 → 4, one member at a time; deletes volumes of members that have left: "
                + CLAIM
                + "2 (made ");
  }

  @Test
  void shouldSayNothingWhereOnlyValuesChange() {
    // Given
    var app = cluster.createApp();
    deploy(app);
    claim(1, null);
    // When
    var tasks = planned(cluster.editApp(yaml -> yaml.replace("100mb", "200mb")));
    // Then
    assertThat(tasks).doesNotContain("volumes that exist");
  }

  @ParameterizedTest
  @CsvSource({
    "redis, 7.2, dump.rdb, from which redis 7.2 cannot be upgraded to redis 7.0",
    "redis, 6.0, dump.rdb, from which redis 6.0 cannot be upgraded to redis 7.0",
    "mysql, 7.0, dump.rdb, which is of type redis of Plugin mysql",
    "redis, 7.0, data.rdb, whose dbfilename is data.rdb and not dump.rdb"
  })
  void shouldRefuseWhatNewPodsCouldNotUse(String plugin, String version, String file, String why) {
    // Given
    claim(0, use(plugin, version, file).text());
    // When
    var answer = plan(cluster.createApp());
    // Then
    assertThat(((PlanAnswer.Rejected) answer).message())
        .contains(
            "spec.components[db].groups[g]: its pods would use PersistentVolumeClaim " + CLAIM)
        .contains(why)
        .contains("move its data away and delete it");
    assertThat(cluster.all(Component.class)).isEmpty();
  }

  @Test
  void shouldRefuseAPodThatWouldFindOnlyOneOfItsVolumes() {
    // Given
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                        "    parameters:\n",
                        "    volumes: [{name: data, default: true}, {name: wal}]\n    parameters:\n")
                    .strip()
                + """

                          - metadata: {name: wal}
                            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: "${volumes.wal.size}"}}}
                """);
    claim(0, null);
    // When
    var app =
        cluster.createApp(
            yaml ->
                yaml.replace(
                    "storage: {size: 1Gi}",
                    "storage: {size: 1Gi}, volumes: [{name: wal, size: 1Gi}]"));
    var answer = plan(app);
    // Then
    assertThat(((PlanAnswer.Rejected) answer).message())
        .isEqualTo(
            "spec.components[db].groups[g]: a pod would use PersistentVolumeClaim data-cache-db-g-0, which exists, without wal-cache-db-g-0, which does not, and its data would be incomplete; restore that one, or delete the other if nobody needs its data");
    // and when the claim is deleted
    var claim = cluster.named(PersistentVolumeClaim.class, CLAIM + 0);
    claim.edit(
        it ->
            new PersistentVolumeClaimBuilder(it)
                .editMetadata()
                .withFinalizers(List.of())
                .endMetadata()
                .build());
    claim.delete();
    assertThat(planned(app)).contains("provision db: 1 group, 2 pods");
  }

  /** The policy is for the App's deletion. */
  @Test
  void shouldSayWhatBecomesOfTheVolumesOfAGroupThatIsRemoved() {
    // Given
    deploy(cluster.createApp());
    claim(0, null);
    cluster
        .named(PersistentVolumeClaim.class, CLAIM + 0)
        .edit(
            it -> {
              it.getMetadata().setLabels(Labels.selector("cache", "db", "g"));
              return it;
            });
    // When
    var kept = planned(withoutGroup("\"deletionPolicy\": \"Delete\""));
    var approved = planned(withoutGroup("\"change\": {\"approval\": \"Manual\"}"));
    // Then
    assertThat(kept).contains("remove db/g (its volumes are kept)");
    assertThat(approved).contains("remove db/g and its volumes");
    assertThat(cluster.named(App.class, "cache").get().getStatus().plan().objects())
        .contains(new PlannedObject("PersistentVolumeClaim", CLAIM + 0, "Delete"));
  }

  /** As a merge patch does that replaces the list of groups. */
  private App withoutGroup(String fields) {
    var merge =
        """
        {"spec": {%s, "components": [{"name": "db", "type": "redis", "groups": [{"name": "h", "storage": {"size": "1Gi"}}]}]}}
        """;
    return cluster
        .named(App.class, "cache")
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge.formatted(fields));
  }

  private static VolumeUse use(String plugin, String version, String file) {
    return new VolumeUse(
        "redis",
        new RuntimeRef("redis", version),
        new PluginRef(plugin, "1.0.0"),
        Map.of("dbfilename", file),
        null,
        null);
  }

  private void claim(int number, String lastUse) {
    PersistentVolumeClaim claim =
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName(CLAIM + number)
            .endMetadata()
            .withNewSpec()
            .withAccessModes("ReadWriteOnce")
            .withVolumeName("volume-" + number)
            .withNewResources()
            .addToRequests("storage", new Quantity("1Gi"))
            .endResources()
            .endSpec()
            .build();
    if (lastUse != null) {
      claim.getMetadata().setAnnotations(Map.of(Labels.LAST_USE, lastUse));
    }
    cluster.create(claim);
  }

  private void deploy(App app) {
    var plan = ((PlanAnswer.Planned) plan(app)).plan();
    var task =
        new TaskRef(engine.begin(app), "1-provision-db", ChangeType.PROVISION, "db")
            .with(plan.pluginRevision());
    engine.resources().openComponent(task);
    engine.resources().applyGroup(new GroupRef(task, "g"));
    engine.resources().settleComponent(task);
  }

  private String planned(App app) {
    return ((PlanAnswer.Planned) plan(app))
        .plan().tasks().stream()
            .map(ChangeTask::description)
            .reduce("", (one, two) -> one + "\n" + two);
  }

  private PlanAnswer plan(App app) {
    return LocalPlanning.of(engine)
        .plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }
}
