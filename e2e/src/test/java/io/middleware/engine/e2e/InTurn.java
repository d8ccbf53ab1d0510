package io.middleware.engine.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class that takes minutes, because it leaves much to chance, kills, takes its subject through
 * every state, or needs images: {@code dev/test} runs it when the number of commits, divided by
 * four, leaves {@link #value()}. {@code dev/test --long} and {@code dev/test --e2e} always run it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface InTurn {
  /** 0 to 3. */
  int value();
}
