/** Values that follow other components: those of the App, and of Apps that it uses. */
@NullMarked
package io.middleware.engine.planning.derived;

import org.jspecify.annotations.NullMarked;
