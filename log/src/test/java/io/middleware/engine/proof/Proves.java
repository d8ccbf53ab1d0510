package io.middleware.engine.proof;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A class of tests that shows something of a Plugin with its real servers. */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Proves {
  /** The name of the Plugin. */
  String plugin();

  /** Runtime and version of each server that runs, such as {@code redis 7.0}. */
  String[] versions();

  /** What holds, in one sentence. */
  String what();
}
