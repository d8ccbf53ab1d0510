package io.middleware.engine.api.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What an untyped field holds: itself, each value of a map or each element of a list. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface UntypedContent {
  /** The form. */
  Form value();

  /** How large. */
  int max() default 4096;

  /** Forms of untyped content. */
  enum Form {
    /** A string, number or boolean of at most {@code max} characters. */
    SCALARS,
    /** The same, or an object of at most two fields, such as a reference to a Secret. */
    VALUES,
    /** A Kubernetes quantity such as {@code 500m} or {@code 1Gi}, also as a plain number. */
    QUANTITIES,
    /** A string or a list of at most {@code max} elements. */
    NAMES_OR_LISTS,
    /** Any object. */
    ANYTHING,
    /** A whole Kubernetes object; its scalars may be expressions. */
    KUBERNETES_OBJECT
  }
}
