package io.middleware.engine.planning.app;

import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.plugin.VolumeOffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The field of a group that gives the size of one of its volumes.
 *
 * @param volume the name of the volume; empty for the field {@code storage}
 */
public record VolumeField(Optional<String> volume) {
  public static final VolumeField STORAGE = new VolumeField(Optional.empty());

  /** Of a volume beside that of the storage. */
  public static VolumeField of(NamedVolume volume) {
    return new VolumeField(Optional.of(volume.name()));
  }

  /** Of a volume that a plugin has. */
  public static VolumeField of(VolumeOffer volume) {
    return PluginCatalog.isDefault(volume) ? STORAGE : new VolumeField(Optional.of(volume.name()));
  }

  /** What a group asks for, in its order. */
  public static Map<VolumeField, Storage> askedBy(GroupTemplate group) {
    Map<VolumeField, Storage> asked = new LinkedHashMap<>();
    Optional.ofNullable(group.storage()).ifPresent(storage -> asked.put(STORAGE, storage));
    named(group).forEach(volume -> asked.put(of(volume), volume.storage()));
    return asked;
  }

  /** The volumes of a group beside that of its storage. */
  public static Stream<NamedVolume> named(GroupTemplate group) {
    return Stream.ofNullable(group.volumes()).flatMap(List::stream);
  }

  /** The field that gives the size of a claim that exists. */
  public static VolumeField of(DesiredApp desiredApp, ExistingVolumeClaim claim) {
    var names = desiredApp.catalog().namedVolumes(desiredApp.typeOf(claim.component()));
    return ofClaim(claim.name(), names);
  }

  /**
   * A claim is called {@code <template>-<StatefulSet>-<number>}.
   *
   * @param names of the volumes, which are the names of their templates, beside that of the storage
   */
  public static VolumeField ofClaim(String claim, Collection<String> names) {
    return names.stream()
        .filter(name -> claim.startsWith(name + "-"))
        .max(Comparator.comparingInt(String::length))
        .map(name -> new VolumeField(Optional.of(name)))
        .orElse(STORAGE);
  }

  /** For descriptions: {@code storage}, or for example {@code volume wal}. */
  public String label() {
    return volume.map("volume "::concat).orElse("storage");
  }

  /** Its path within the group. */
  @Override
  public String toString() {
    return volume.map("volumes[%s]"::formatted).orElse("storage");
  }
}
