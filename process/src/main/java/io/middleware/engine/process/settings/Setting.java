package io.middleware.engine.process.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a setting, or a section of settings, on the record component that holds it. The reader,
 * its messages and the reference use it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

  /** The description that the reference shows. */
  String value();

  /** The default, written as in an environment variable. */
  String fallback() default "";

  /** The smallest number or duration allowed. */
  String min() default "";

  /** The largest number or duration allowed. */
  String max() default "";

  /** The form of a text, or of each item of a list. */
  TextForm form() default TextForm.ANY;
}
