package io.middleware.engine.render.expression;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * What the rendering of one group may take: work, output, and the memory of each expression. It is
 * counted during the evaluation; a budget that is exceeded stays so. Work is counted instead of
 * time, so the same template fails everywhere or nowhere, however busy the machine is.
 */
public final class RenderBudget {
  /** A text cannot become longer than the output. */
  static final int MAX_TEXT = 1 << 20;

  /** One unit takes up to 20 ns, so all of it about a second. */
  private static final long MAX_WORK = 50_000_000;

  /** Many groups are rendered at once, so that a few large ones must fit into a small heap. */
  private static final long MAX_MEMORY = 16L << 20;

  private static final long MAX_OUTPUT = 1L << 20;
  private static final int STEP = 20;
  private static final int CHARACTERS_PER_UNIT = 8;
  private static final int OBJECT = 24;
  private static final int REFERENCE = 8;

  private long memory;
  private long output;
  private long work;
  private Optional<String> exceeded = Optional.empty();

  /** What was exceeded first. */
  public Optional<String> exceeded() {
    return exceeded;
  }

  void beginExpression() {
    memory = 0;
  }

  /** One step of an evaluation, which gave this value to the next. */
  void step(Object value) {
    exceeded.ifPresent(RenderBudget::fail);
    work(STEP + (value instanceof String text ? text.length() / CHARACTERS_PER_UNIT : 0));
  }

  /** Counts work that does not show in the values. */
  void work(long units) {
    work += units;
    if (work > MAX_WORK) {
      exceed("takes more work than a group may");
    }
  }

  /** Counts the work of a call that goes through all of a value. */
  void walk(Object value) {
    work(1);
    switch (value) {
      case String text -> work(text.length() / CHARACTERS_PER_UNIT);
      case Map<?, ?> map ->
          map.forEach(
              (key, item) -> {
                walk(key);
                walk(item);
              });
      case Collection<?> list -> list.forEach(this::walk);
      case Optional<?> optional -> optional.ifPresent(this::walk);
      case null, default -> {}
    }
  }

  /** Counts a new value with all that it holds, as often as it holds it. */
  void take(Object value) {
    switch (value) {
      case String text -> {
        if (text.length() > MAX_TEXT) {
          exceed("makes a text longer than 1 MiB");
        }
        memory(OBJECT + text.length());
      }
      case Map<?, ?> map -> {
        memory(OBJECT);
        map.forEach(
            (key, item) -> {
              take(key);
              take(item);
              memory(REFERENCE * 4L);
            });
      }
      case Collection<?> list -> {
        memory(OBJECT);
        for (var item : list) {
          take(item);
          memory(REFERENCE);
        }
      }
      case Optional<?> optional -> optional.ifPresent(this::take);
      case null, default -> memory(OBJECT);
    }
  }

  /** Counts a result, all of which becomes part of an object. */
  void output(Object value) {
    switch (value) {
      case String text -> written(text.length());
      case Map<?, ?> map ->
          map.forEach(
              (key, item) -> {
                output(key);
                output(item);
              });
      case Collection<?> list -> list.forEach(this::output);
      case Optional<?> optional -> optional.ifPresent(this::output);
      case null, default -> written(1);
    }
  }

  private void written(long characters) {
    output += characters + 1;
    if (output > MAX_OUTPUT) {
      exceed("makes the output of the group larger than 1 MiB");
    }
  }

  /** Refuses what would take too much. */
  void exceed(String what) {
    if (exceeded.isEmpty()) {
      exceeded = Optional.of(what);
    }
    fail(exceeded.get());
  }

  private void memory(long bytes) {
    work(1);
    memory += bytes;
    if (memory > MAX_MEMORY) {
      exceed("takes more than %d MiB of memory".formatted(MAX_MEMORY >> 20));
    }
  }

  private static void fail(String what) {
    throw new BudgetExceededException(what);
  }

  /** More than the budget of the group's rendering. */
  static final class BudgetExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BudgetExceededException(String message) {
      super(message, null, false, false);
    }
  }
}
