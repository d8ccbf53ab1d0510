/** What all steps on pods share: their context, eviction, roles and reports. */
package io.middleware.engine.activities.pods;
