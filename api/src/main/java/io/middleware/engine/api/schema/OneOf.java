package io.middleware.engine.api.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The words that a string, each string of a list or each value of a map may be. For statuses and
 * keys; a word of a spec that the engine acts on is an enum.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface OneOf {
  /** The words, in the order they are shown. */
  String[] value();
}
