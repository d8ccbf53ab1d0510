package io.middleware.engine.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A class of end-to-end tests. Its constructor, or a method before all tests, may ask for a {@link
 * Shop} and for {@link Temporal}: see {@link EndToEndExtension}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({OnOneInstance.class, EndToEndExtension.class})
public @interface EndToEnd {}
