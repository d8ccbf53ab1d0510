/** Keeps the values of sensitive parameters out of all that is shown or kept about an App. */
@NullMarked
package io.middleware.engine.render.sensitive;

import org.jspecify.annotations.NullMarked;
