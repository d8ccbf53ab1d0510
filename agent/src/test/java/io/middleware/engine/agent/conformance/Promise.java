package io.middleware.engine.agent.conformance;

/**
 * One promise of the protocol.
 *
 * @param name a sentence about the agent
 * @param check ends when the agent keeps it
 */
public record Promise(String name, Check check) {

  /** Fails with {@link BrokenException} or {@link NotApplicableException}. */
  @FunctionalInterface
  public interface Check {
    void run() throws Exception;
  }

  /** The agent does not keep the promise. */
  public static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenException(String message) {
      super(message);
    }
  }

  /** The agent need not keep it, or the check lacks something. */
  public static final class NotApplicableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotApplicableException(String why) {
      super(why);
    }
  }

  static void require(boolean kept, String otherwise, Object... values) {
    if (!kept) {
      throw new BrokenException(otherwise.formatted(values));
    }
  }

  static NotApplicableException notApplicable(String why) {
    return new NotApplicableException(why);
  }
}
