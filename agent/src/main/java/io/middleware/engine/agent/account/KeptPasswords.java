package io.middleware.engine.agent.account;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The passwords of one account, all of which are accepted.
 *
 * @param current with which everybody logs in
 * @param next which is to take its place
 * @param previous whose place it has taken
 */
public record KeptPasswords(
    Optional<Password> current, Optional<Password> next, Optional<Password> previous) {

  public List<Password> all() {
    return Stream.of(current, next, previous).flatMap(Optional::stream).distinct().toList();
  }
}
