package io.middleware.engine.process.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a setting, or a section of settings, on the record component that holds it. The reader,
 * its messages and the reference are all made from it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

  /** What it is for; the reference shows it. */
  String value();

  /** The value when none is given, written as in an environment variable. */
  String fallback() default "";

  /** The least number or duration allowed. */
  String min() default "";

  /** The greatest number or duration allowed. */
  String max() default "";

  /** The form of a text, or of each text of a list. */
  TextForm form() default TextForm.ANY;
}
