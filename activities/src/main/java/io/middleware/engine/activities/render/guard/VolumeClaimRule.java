package io.middleware.engine.activities.render.guard;

import java.util.List;

/** What becomes of the volumes is said by the App's deletionPolicy, never by a template. */
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
