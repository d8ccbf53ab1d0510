/** What an Operation may do, and to which groups and pods. */
@NullMarked
package io.middleware.engine.planning.operation;

import org.jspecify.annotations.NullMarked;
