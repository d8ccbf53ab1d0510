/** Where the pods of a group may run, and what they get beside the templates of their Plugin. */
@NullMarked
package io.middleware.engine.api.placement;

import org.jspecify.annotations.NullMarked;
