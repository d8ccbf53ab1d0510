package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.Storage;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.planning.Fixtures;
import io.middleware.engine.planning.app.ExistingPod;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.VolumeField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts is the volume that exists, and not what the deployed spec asked for. */
class StorageRulesTest {
  private static final String GROUP = "spec.components.0.groups.0.storage";
  private static final String FIELD = "spec.components[redis-nodes].groups[shard-0].storage";

  private static final String VOLUME = "spec.components[redis-nodes].groups[shard-0].volumes[wal]";

  @Test
  void shouldLetASizeBeTakenBackOfWhichNoVolumeWasMade() {
    assertThat(problems("1Ti", Map.of("size", "1Gi"), List.of(), "1Gi", null)).isEmpty();
    assertThat(problems("1Ti", Map.of("size", "1Gi"), List.of(pending("1Ti")), "1Gi", null))
        .isEmpty();
  }

  @Test
  void shouldLetASizeBeTakenBackThatNoVolumeHasGot() {
    // Given what the API server refused, so that the claim asks for 1Gi still
    var claim = claim("1Gi", "1Gi", "local");
    // When Then
    assertThat(problems("1Ti", Map.of("size", "1Gi"), List.of(claim), "1Gi", null)).isEmpty();
    // and what the provider refuses
    var asking = claim("5Gi", "1Gi", "local");
    assertThat(problems("5Gi", Map.of("size", "2Gi"), List.of(asking), "2Gi", null)).isEmpty();
    assertThat(problems("5Gi", Map.of("size", "1Gi"), List.of(asking), "1Gi", null))
        .containsExactly(
            FIELD
                + ".size: 1Gi, but PersistentVolumeClaim data-cache-redis-nodes-shard-0-0 asks for 5Gi and has 1Gi: Kubernetes takes a failed expansion back only to more than the volume has");
  }

  @Test
  void shouldNotShrinkAVolume() {
    assertThat(
            problems(
                "2Gi", Map.of("size", "1Gi"), List.of(claim("2Gi", "2Gi", "local")), "1Gi", null))
        .containsExactly(
            FIELD
                + ".size: 1Gi, but PersistentVolumeClaim data-cache-redis-nodes-shard-0-0, which exists, has 2Gi: a volume cannot shrink");
  }

  @Test
  void shouldLetAGroupGrowWhoseVolumeSomebodyHasGrownFurther() {
    var claim = claim("3Gi", "3Gi", "local");
    assertThat(problems("1Gi", Map.of("size", "2Gi"), List.of(claim), "2Gi", null)).isEmpty();
  }

  @Test
  void shouldNotMindVolumesThatAreLargerThanANewDefaultOfATemplate() {
    assertThat(
            problems(
                "1Gi", Map.of("size", "1Gi"), List.of(claim("2Gi", "2Gi", "local")), "1Gi", null))
        .isEmpty();
  }

  @Test
  void shouldLetAClassBeCorrectedWithWhichNoVolumeWasMade() {
    var desired = Map.<String, Object>of("size", "1Gi", "storageClassName", "local");
    assertThat(problems("1Gi", desired, List.of(pending("1Gi")), "1Gi", "local")).isEmpty();
    assertThat(problems("1Gi", desired, List.of(claim("1Gi", "1Gi", "local")), "1Gi", "local"))
        .isEmpty();
    assertThat(problems("1Gi", desired, List.of(claim("1Gi", "1Gi", "slow")), "1Gi", "local"))
        .containsExactly(
            FIELD
                + ".storageClassName: PersistentVolumeClaim data-cache-redis-nodes-shard-0-0, which exists, has slow: a volume cannot move to another class");
  }

  @Test
  void shouldAddStorageOnlyWhereNoPodRunsWithoutIt() {
    var size = Map.<String, Object>of("size", "1Gi");
    assertThat(problems(null, size, List.of(claim("64Mi", "64Mi", "local")), "1Gi", null))
        .as("claims of the template's own size")
        .isEmpty();
    assertThat(problems(null, size, List.of(), "1Gi", null)).isEmpty();
    assertThat(problems(null, size, List.of(), List.of(pod()), "1Gi", null))
        .singleElement()
        .asString()
        .startsWith(FIELD + " cannot be added to pods that run without it: stop the App first");
  }

  @Test
  void shouldCompareAGroupThatComesAgainWithItsVolumes() {
    // Given
    var name = "data-cache-redis-nodes-shard-9-0";
    var field = "spec.components[redis-nodes].groups[shard-9].storage";
    var left =
        new ExistingVolumeClaim(
            name,
            "redis-nodes",
            "shard-9",
            new Storage("2Gi", "fast"),
            Optional.of(new Quantity("2Gi")));
    // When Then
    assertThat(again(left, "1Gi", "slow"))
        .containsExactly(
            field
                + ".size: 1Gi, but PersistentVolumeClaim "
                + name
                + ", which exists, has 2Gi: a volume cannot shrink",
            field
                + ".storageClassName: PersistentVolumeClaim "
                + name
                + ", which exists, has fast: a volume cannot move to another class");
    assertThat(again(left, "3Gi", "fast"))
        .containsExactly(
            field
                + ".size: 3Gi, but PersistentVolumeClaim "
                + name
                + ", which still exists, has 2Gi: add the group with 2Gi and expand it afterwards");
  }

  @Test
  void shouldJudgeEachVolumeByItsOwnClaims() {
    // Given a group whose storage grows, and whose volume wal is to shrink
    var app = edit("storage", Map.of("size", "2Gi"), "volumes", wal("1Gi"));
    var was = edit("storage", Map.of("size", "1Gi"), "volumes", wal("2Gi"));
    var claims = List.of(claim("1Gi", "1Gi", "local"), volume("wal", "2Gi"));
    // When Then
    assertThat(named(was, app, claims, List.of()))
        .containsExactly(
            VOLUME
                + ".size: 1Gi, but PersistentVolumeClaim wal-cache-redis-nodes-shard-0-0, which exists, has 2Gi: a volume cannot shrink");
    // and where only wal grows, what somebody has grown by hand is no obstacle
    var larger = edit("storage", Map.of("size", "1Gi"), "volumes", wal("3Gi"));
    var grown = List.of(claim("9Gi", "9Gi", "local"), volume("wal", "4Gi"));
    assertThat(named(was, larger, grown, List.of())).isEmpty();
  }

  @Test
  void shouldAddNoVolumeBesideVolumesThatExist() {
    // Given
    var was = edit("storage", Map.of("size", "1Gi"), "volumes", List.of());
    var app = edit("storage", Map.of("size", "1Gi"), "volumes", wal("1Gi"));
    // When Then
    assertThat(named(was, app, List.of(claim("1Gi", "1Gi", "local")), List.of()))
        .singleElement()
        .asString()
        .startsWith(VOLUME + " cannot be added beside volumes that exist")
        .endsWith("or restore a Backup into a new App");
    assertThat(named(was, app, List.of(pending("1Gi")), List.of(pod())))
        .singleElement()
        .asString()
        .startsWith(VOLUME + " cannot be added to pods that run without it: stop the App first");
    assertThat(named(was, app, List.of(pending("1Gi")), List.of())).isEmpty();
  }

  /** The data were written while the pods had no log, or only some of them had one. */
  @Test
  void shouldAddAVolumeAgainOnlyWhereEachPodHasIt() {
    // Given
    var was = edit("storage", Map.of("size", "1Gi"), "volumes", List.of());
    var app = edit("storage", Map.of("size", "1Gi"), "volumes", wal("1Gi"));
    var data = List.of(volume("data", 0), volume("data", 1), volume("data", 2));
    var pending = new ArrayList<>(data);
    pending.add(withoutVolume(volume("wal", 0)));
    var one = new ArrayList<>(data);
    one.add(volume("wal", 1));
    var all = new ArrayList<>(data);
    all.addAll(List.of(volume("wal", 0), volume("wal", 1), volume("wal", 2)));
    var refused = VOLUME + " cannot be added beside volumes that exist";
    // When Then
    assertThat(named(was, app, pending, List.of(pod())))
        .singleElement()
        .asString()
        .startsWith(refused);
    assertThat(named(was, app, one, List.of(pod()))).singleElement().asString().startsWith(refused);
    assertThat(named(was, app, all, List.of(pod()))).isEmpty();
    // and what has a volume nowhere is as new as what has no claim
    var nowhere = List.of(withoutVolume(volume("data", 0)), withoutVolume(volume("wal", 0)));
    assertThat(named(was, app, nowhere, List.of(pod())))
        .singleElement()
        .asString()
        .startsWith(VOLUME + " cannot be added to pods that run without it");
    assertThat(named(was, app, nowhere, List.of())).isEmpty();
  }

  @Test
  void shouldNotLetAGroupComeAgainWithoutOneOfItsVolumes() {
    // Given a group that was removed
    var was = new HashMap<String, Object>();
    was.put("items.0.spec.groups.0.name", "shard-7");
    var claims = List.of(claim("1Gi", "1Gi", "local"), volume("wal", "2Gi"));
    // When Then
    assertThat(
            named(was, edit("storage", Map.of("size", "1Gi"), "volumes", null), claims, List.of()))
        .containsExactly(
            VOLUME
                + " is missing, but PersistentVolumeClaim wal-cache-redis-nodes-shard-0-0, which still exists, has 2Gi, and the other volumes need its data: add it with this size, or delete the claims of the group if nobody needs their data");
    assertThat(
            named(
                was,
                edit("storage", Map.of("size", "1Gi"), "volumes", wal("3Gi")),
                claims,
                List.of()))
        .singleElement()
        .asString()
        .startsWith(VOLUME + ".size: 3Gi, but PersistentVolumeClaim wal-")
        .endsWith("add the group with 2Gi and expand it afterwards");
  }

  /** By the path of the group in the App or in the Component, what it asks for. */
  private static Map<String, Object> edit(String one, Object size, String other, Object volumes) {
    var edits = new HashMap<String, Object>();
    edits.put(one, size);
    edits.put(other, volumes);
    return edits;
  }

  private static List<Map<String, String>> wal(String size) {
    return List.of(Map.of("name", "wal", "size", size));
  }

  private static ExistingVolumeClaim volume(String volume, String size) {
    return new ExistingVolumeClaim(
        volume + "-cache-redis-nodes-shard-0-0",
        "redis-nodes",
        "shard-0",
        new Storage(size, "local"),
        Optional.of(new Quantity(size)));
  }

  private static ExistingVolumeClaim volume(String volume, int number) {
    return new ExistingVolumeClaim(
        "%s-cache-redis-nodes-shard-0-%d".formatted(volume, number),
        "redis-nodes",
        "shard-0",
        new Storage("1Gi", "local"),
        Optional.of(new Quantity("1Gi")));
  }

  private static ExistingVolumeClaim withoutVolume(ExistingVolumeClaim claim) {
    return new ExistingVolumeClaim(
        claim.name(), claim.component(), claim.group(), claim.storage(), Optional.empty());
  }

  private static List<String> named(
      Map<String, Object> was,
      Map<String, Object> desired,
      List<ExistingVolumeClaim> claims,
      List<ExistingPod> pods) {
    var offers = List.of(Map.of("name", "data", "default", true), Map.of("name", "wal"));
    var fixtures =
        new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "plugin", Map.of("spec.componentTypes.0.volumes", offers),
                "app", prefixed("spec.components.0.groups.0.", desired),
                "components", prefixed("items.0.spec.groups.0.", was)));
    var group = fixtures.desiredApp().spec().components().getFirst().groups().getFirst();
    var rendered =
        VolumeField.askedBy(group).entrySet().stream()
            .map(
                asked ->
                    new VolumeClaimSize(
                        asked.getKey().volume().orElse("data") + "-cache-redis-nodes-shard-0",
                        true,
                        new Quantity(asked.getValue().size()),
                        Optional.empty()))
            .toList();
    return new StorageRules(
            fixtures.desiredApp(), new ObservedApp(fixtures.deployed(), claims, pods), rendered)
        .problems();
  }

  private static Map<String, Object> prefixed(String path, Map<String, Object> edits) {
    var prefixed = new HashMap<String, Object>();
    edits.forEach(
        (field, value) -> prefixed.put(field.startsWith("items") ? field : path + field, value));
    return prefixed;
  }

  private static List<String> again(ExistingVolumeClaim left, String size, String storageClass) {
    var storage = Map.of("size", size, "storageClassName", storageClass);
    var group = Map.of("name", "shard-9", "storage", storage);
    var fixtures =
        new Fixtures(Fixtures.ROOT, Map.of("app", Map.of("spec.components.0.groups.1", group)));
    var rendered =
        new VolumeClaimSize(
            "data-cache-redis-nodes-shard-9", true, new Quantity(size), Optional.of(storageClass));
    return new StorageRules(
            fixtures.desiredApp(),
            new ObservedApp(fixtures.deployed(), List.of(left), List.of()),
            List.of(rendered))
        .problems();
  }

  private static List<String> problems(
      String was,
      Map<String, Object> desired,
      List<ExistingVolumeClaim> claims,
      String size,
      String storageClass) {
    return problems(was, desired, claims, List.of(), size, storageClass);
  }

  private static List<String> problems(
      String was,
      Map<String, Object> desired,
      List<ExistingVolumeClaim> claims,
      List<ExistingPod> pods,
      String size,
      String storageClass) {
    var before = new HashMap<String, Object>();
    before.put("items.0.spec.groups.0.storage", was == null ? null : Map.of("size", was));
    var fixtures =
        new Fixtures(Fixtures.ROOT, Map.of("app", Map.of(GROUP, desired), "components", before));
    var rendered =
        new VolumeClaimSize(
            "data-cache-redis-nodes-shard-0",
            true,
            new Quantity(size),
            Optional.ofNullable(storageClass));
    return new StorageRules(
            fixtures.desiredApp(),
            new ObservedApp(fixtures.deployed(), claims, pods),
            List.of(rendered))
        .problems();
  }

  private static ExistingPod pod() {
    return new ExistingPod("redis-nodes", "shard-0", true);
  }

  private static ExistingVolumeClaim pending(String size) {
    return new ExistingVolumeClaim(
        "data-cache-redis-nodes-shard-0-0",
        "redis-nodes",
        "shard-0",
        new Storage(size, "fast"),
        Optional.empty());
  }

  private static ExistingVolumeClaim claim(String size, String capacity, String storageClass) {
    return new ExistingVolumeClaim(
        "data-cache-redis-nodes-shard-0-0",
        "redis-nodes",
        "shard-0",
        new Storage(size, storageClass),
        Optional.of(new Quantity(capacity)));
  }
}
