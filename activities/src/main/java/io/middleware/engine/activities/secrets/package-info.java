/** The Secrets that a task's component uses, made where the App asks for that. */
@NullMarked
package io.middleware.engine.activities.secrets;

import org.jspecify.annotations.NullMarked;
