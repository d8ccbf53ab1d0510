package io.middleware.engine.activities.secrets;

import io.middleware.engine.api.App;
import io.middleware.engine.cluster.secrets.SecretText;
import io.middleware.engine.render.SecretReference;
import java.util.Optional;

/** The values that clients may read. */
public interface PublishedValues {
  /**
   * One of them.
   *
   * @return empty when it is not known whether servers accept it: what is published stays
   */
  Optional<SecretText> of(App app, SecretReference from);

  /**
   * Whether Secrets that somebody has deleted or edited are written again, also with a value of
   * which that is not known: there is nothing that stays published.
   */
  default boolean replaceEdited() {
    return false;
  }
}
