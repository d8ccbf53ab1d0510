package io.middleware.engine.planning.condition;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What one look has found about a condition, or about a whole check. */
public sealed interface Verdict {
  int MOST_SHOWN = 8;

  /**
   * @param actual what was found
   */
  record Holds(String actual) implements Verdict {}

  /**
   * @param actual what was found
   * @param why what was found and what was expected
   */
  record DoesNotHold(String actual, String why) implements Verdict {}

  /** Nobody can tell at the moment. */
  record NotKnown(String why) implements Verdict {}

  /** What was found; empty when nothing was. */
  default String found() {
    return switch (this) {
      case Holds(var actual) -> actual;
      case DoesNotHold(var actual, var why) -> actual;
      case NotKnown(var why) -> "";
    };
  }

  /** For people: what is wrong, or what was found when nothing is. */
  default String message() {
    return switch (this) {
      case Holds(var actual) -> actual;
      case DoesNotHold(var actual, var why) -> why;
      case NotKnown(var why) -> "not known: " + why;
    };
  }

  /** What is wrong, for people; empty when it holds. */
  default Optional<String> missing() {
    return this instanceof Holds ? Optional.empty() : Optional.of(message());
  }

  /**
   * The verdict on a check by those on its conditions.
   *
   * @param all whether all must hold, and not one of them
   */
  static Verdict of(boolean all, List<Verdict> verdicts) {
    return all ? ofAll(verdicts) : ofAny(verdicts);
  }

  /** The verdict on a check of which all conditions must hold. */
  static Verdict ofAll(List<Verdict> verdicts) {
    var failed = verdicts.stream().filter(DoesNotHold.class::isInstance).toList();
    if (!failed.isEmpty()) {
      return new DoesNotHold(found(failed), messages(failed.stream()));
    }
    var unknown = verdicts.stream().flatMap(Verdict::doubts).toList();
    return unknown.isEmpty() ? new Holds(found(verdicts)) : new NotKnown(joined(unknown.stream()));
  }

  /** The verdict on a check of which one condition must hold. */
  static Verdict ofAny(List<Verdict> verdicts) {
    var held = verdicts.stream().filter(Holds.class::isInstance).findFirst();
    if (held.isPresent()) {
      return held.get();
    }
    var unknown = verdicts.stream().flatMap(Verdict::doubts).toList();
    return unknown.isEmpty()
        ? new DoesNotHold(found(verdicts), messages(verdicts.stream()))
        : new NotKnown(joined(unknown.stream()));
  }

  private Stream<String> doubts() {
    return this instanceof NotKnown(var why) ? Stream.of(why) : Stream.empty();
  }

  private static String found(List<Verdict> verdicts) {
    return joined(verdicts.stream().map(Verdict::found).filter(text -> !text.isEmpty()));
  }

  private static String messages(Stream<Verdict> verdicts) {
    return joined(verdicts.map(Verdict::message));
  }

  /** A group may have a thousand pods. */
  private static String joined(Stream<String> texts) {
    var all = texts.distinct().toList();
    var shown = all.stream().limit(MOST_SHOWN).collect(joining("; "));
    return all.size() <= MOST_SHOWN
        ? shown
        : "%s; and %d more".formatted(shown, all.size() - MOST_SHOWN);
  }
}
