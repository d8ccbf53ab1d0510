/** What all steps on pods share: their context, eviction, roles and reports. */
@NullMarked
package io.middleware.engine.activities.pods;

import org.jspecify.annotations.NullMarked;
