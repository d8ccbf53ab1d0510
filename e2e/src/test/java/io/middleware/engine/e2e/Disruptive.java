package io.middleware.engine.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A class whose tests disturb others, because they kill or start the processes of the instance:
 * nothing else runs on it meanwhile. {@code dev/test} shares these classes between two instances.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Isolated
public @interface Disruptive {
  /** What they do. */
  String value();
}
