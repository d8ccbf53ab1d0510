package io.middleware.engine.render.guard;

import java.util.List;

/** Only the App's deletionPolicy decides whether volumes are kept, never a template. */
final class VolumeClaimRule implements GuardRule {

  @Override
  public void inspect(InspectedObject object) {
    if (object.is(KnownKinds.STATEFUL_SET)) {
      object
          .at("spec", "persistentVolumeClaimRetentionPolicy")
          .fields()
          .forEach(
              field ->
                  object.allowOnly(
                      field, List.of("Retain"), "Retain only; the App's deletionPolicy decides"));
    }
  }
}
