/** The rotation of secrets: values that are added, published and retired one after the other. */
@NullMarked
package io.middleware.engine.activities.rotation;

import org.jspecify.annotations.NullMarked;
