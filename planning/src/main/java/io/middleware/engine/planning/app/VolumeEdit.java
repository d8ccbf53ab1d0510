package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Storage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a group asks for differently than before, of one of its volumes.
 *
 * @param was empty where it had none, or did not say
 * @param desired empty where it is to have none, or does not say
 */
public record VolumeEdit(VolumeField field, Optional<Storage> was, Optional<Storage> desired) {

  /** One for each volume of which another size or class is asked for: {@code 1Gi} is 1024Mi. */
  public static List<VolumeEdit> between(GroupTemplate was, GroupTemplate desired) {
    var before = VolumeField.askedBy(was);
    var after = VolumeField.askedBy(desired);
    var fields = new LinkedHashSet<>(before.keySet());
    fields.addAll(after.keySet());
    var edits = new ArrayList<VolumeEdit>();
    for (var field : fields) {
      var edit =
          new VolumeEdit(
              field, Optional.ofNullable(before.get(field)), Optional.ofNullable(after.get(field)));
      if (edit.isAddition() || edit.isRemoval() || edit.isResize() || edit.changesClass()) {
        edits.add(edit);
      }
    }
    return edits;
  }

  public boolean isAddition() {
    return was.isEmpty() && desired.isPresent();
  }

  public boolean isRemoval() {
    return was.isPresent() && desired.isEmpty();
  }

  public boolean isGrowth() {
    return isResize() && bytes(desired.orElseThrow()).compareTo(bytes(was.orElseThrow())) > 0;
  }

  /** Between two classes of which one may be the default of the cluster. */
  public boolean changesClass() {
    return was.isPresent()
        && desired.isPresent()
        && !Objects.equals(was.get().storageClassName(), desired.get().storageClassName());
  }

  private boolean isResize() {
    return was.isPresent()
        && desired.isPresent()
        && bytes(was.get()).compareTo(bytes(desired.get())) != 0;
  }

  private static BigDecimal bytes(Storage storage) {
    return Quantity.parse(storage.size()).getNumericalAmount();
  }
}
