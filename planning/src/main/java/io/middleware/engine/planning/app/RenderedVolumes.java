package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.plugin.VolumeOffer;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that templates make each volume that a group names, with its size: otherwise an edit would
 * be reported as carried out, and change nothing. Also checks that the claims of each volume can be
 * told from those of other templates.
 *
 * @param offers the volumes of the group's type
 * @param objects as rendered for the group
 */
record RenderedVolumes(GroupSpec group, List<VolumeOffer> offers, List<RenderedObject> objects) {

  Optional<String> problem() {
    return Stream.concat(
            Stream.ofNullable(group.volumes())
                .flatMap(List::stream)
                .flatMap(volume -> problem(volume).stream()),
            sets()
                .flatMap(set -> VolumeClaimTemplates.templateNames(set.tree()).stream())
                .flatMap(template -> confusing(template).stream()))
        .findFirst();
  }

  private Stream<RenderedObject> sets() {
    return objects.stream().filter(object -> object.kind().kind().equals("StatefulSet"));
  }

  /** Its claims would be taken for those of a volume that has another template. */
  private Optional<String> confusing(String template) {
    return offers.stream()
        .map(VolumeOffer::name)
        .filter(name -> template.startsWith(name + "-"))
        .filter(name -> offers.stream().noneMatch(offer -> offer.name().equals(template)))
        .findFirst()
        .map(
            name ->
                "the volumeClaimTemplate %s begins with %s-, so that its claims cannot be told from those of volume %s: rename it"
                    .formatted(template, name, name));
  }

  private Optional<String> problem(NamedVolume volume) {
    var sizes =
        sets()
            .flatMap(
                set -> VolumeClaimTemplates.size(set.name(), set.tree(), volume.name()).stream())
            .toList();
    if (sizes.isEmpty()) {
      return Optional.of(
          "no StatefulSet has a volumeClaimTemplate %s with a size, for the volume that the App asks for"
              .formatted(volume.name()));
    }
    var asked = Quantity.parse(volume.size());
    return sizes.stream()
        .map(VolumeClaimSize::size)
        .filter(size -> size.getNumericalAmount().compareTo(asked.getNumericalAmount()) != 0)
        .findFirst()
        .map(
            size ->
                "the volumeClaimTemplate %s asks for %s, and the App for %s: its size must be ${volumes['%s'].size}"
                    .formatted(volume.name(), size, asked, volume.name()));
  }
}
