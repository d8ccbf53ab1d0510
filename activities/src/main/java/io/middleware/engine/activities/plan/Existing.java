package io.middleware.engine.activities.plan;

import java.util.List;
import java.util.Optional;

/** What is there of an App. */
record Existing(List<Deployed> components, List<ExistingClaim> claims) {
  Existing {
    components = List.copyOf(components);
    claims = List.copyOf(claims);
  }

  Optional<Deployed> component(String name) {
    return components.stream().filter(one -> one.component().equals(name)).findFirst();
  }
}
